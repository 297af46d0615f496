import { type CanvasDesign, type Element, hasMembers, inPixels, type LayoutElement } from "../../schemas/canvas.ts";
import { splitTemplate } from "../expression/template-parts.ts";

/** What an element shows, as far as the design determines it. */
export interface ElementFacts {
  pointer: string;
  element: Element;
  /** The expressions in the element's content, without its visibility condition. */
  expressions: readonly string[];
  /** The text between the expressions. */
  words: string;
  /** The keys of `item` that the expressions read. */
  reads: ReadonlySet<string>;
}

/** A layout of a design, with its pointer and its elements in drawing order. Lengths are in pixels. */
export interface LayoutFacts {
  pointer: string;
  layout: Pick<CanvasDesign, "width" | "height" | "background" | "rotate">;
  elements: readonly ElementFacts[];
}

/** Returns what each layout of a design shows. */
export const layoutFacts = (canvas: CanvasDesign): LayoutFacts[] => {
  const { variants = [], ...own } = inPixels(canvas);
  return [own, ...variants].map((layout, index) => {
    const pointer = index === 0 ? "" : `/variants/${index - 1}`;
    return { pointer, layout, elements: factsOf(layout.elements, `${pointer}/elements`) };
  });
};

const factsOf = (elements: readonly LayoutElement[], pointer: string): ElementFacts[] =>
  elements.flatMap((element, index) =>
    hasMembers(element)
      ? factsOf(element.elements, `${pointer}/${index}/elements`)
      : [elementFacts(element, `${pointer}/${index}`)],
  );

function elementFacts(element: Element, pointer: string): ElementFacts {
  const parts = templatesOf(element).flatMap((template) => splitTemplate(template).parts);
  const expressions = parts.flatMap((part) => (typeof part === "string" ? [] : [part.expression]));
  const words = parts.filter((part) => typeof part === "string").join(" ");
  return { pointer, element, expressions, words, reads: new Set(expressions.flatMap(itemKeysIn)) };
}

function templatesOf(element: Element): string[] {
  if (element.kind === "text") return [element.text, ...(element.runs ?? []).map(({ text }) => text)];
  if (element.kind === "price") return [element.value, ...(element.suffix === undefined ? [] : [element.suffix])];
  return [];
}

/** Returns the keys of `item` that an expression reads, by `item.key` or `item["key"]`. */
export const itemKeysIn = (expression: string): string[] =>
  [...expression.matchAll(/\bitem\s*(?:\.\s*([A-Za-z_]\w*)|\[\s*["']([^"']+)["']\s*\])/g)].map(
    ([, field, index]) => field ?? index ?? "",
  );

/** Returns the arguments with which an expression calls a function, each as its source. Calls inside quotes count too. */
export function callsOf(expression: string, name: string): string[][] {
  return [...expression.matchAll(new RegExp(`\\b${name}\\s*\\(`, "g"))].map(({ index, 0: { length } }) =>
    valuesFrom(expression, index + length),
  );
}

function valuesFrom(source: string, from: number): string[] {
  const values = [""];
  let depth = 0;
  for (const character of source.slice(from)) {
    if (character === ")" && depth === 0) break;
    if ("([{".includes(character)) depth += 1;
    else if (")]}".includes(character)) depth -= 1;
    if (character === "," && depth === 0) values.push("");
    else values.push(`${values.pop() ?? ""}${character}`);
  }
  return values.map((value) => value.trim());
}
