import type { LayoutElement } from "../../../../../../schemas/canvas.ts";
import type { Texts } from "../../../texts.ts";
import { partsOf, propertyIn } from "../document/text-parts.ts";

/** Returns a message, or `otherwise` if the page has no such message. */
export const said = (text: Texts, key: string, otherwise: string): string => text(key) || otherwise;

export const kindName = (text: Texts, kind: string): string => said(text, `canvas.kind.${kind}`, kind.toUpperCase());

/** Returns the name of an expression: a property's name in the page's language, otherwise the expression itself. */
export function dataName(text: Texts, expression: string): string {
  const property = propertyIn(expression);
  return property === undefined ? expression.trim() : said(text, `canvas.data.${property}`, property);
}

/** Returns the name of an element: its own, or else what it shows, or its kind. */
export function elementName(text: Texts, element: LayoutElement): string {
  if (element.name !== undefined) return element.name;
  const shown =
    "text" in element && typeof element.text === "string" ? element.text : "value" in element ? element.value : "";
  const content = partsOf(shown)
    .map((part) => ("letters" in part ? part.letters : dataName(text, part.expression)))
    .join("")
    .trim();
  if (content === "") return kindName(text, element.kind);
  return element.kind === "text" || element.kind === "price" ? content : `${kindName(text, element.kind)} ${content}`;
}
