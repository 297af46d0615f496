import { splitTemplate } from "../../../shared/template-parts.ts";

/** A part of a template: letters that every label shows, or an expression. */
export type TextPart = { letters: string } | { expression: string };

/** Returns the parts of a template such as `${item.itemName} from ${item.origin}`; an unclosed expression counts as letters. */
export function partsOf(template: string): TextPart[] {
  const { parts, unclosedAt } = splitTemplate(template);
  const last = parts.findLast((part) => typeof part !== "string");
  const rest = unclosedAt === undefined ? "" : template.slice(last ? last.at + last.expression.length + 1 : 0);
  return [...parts, rest]
    .filter((part) => part !== "")
    .map((part) => (typeof part === "string" ? { letters: part } : { expression: part.expression }));
}

export const templateOf = (parts: readonly TextPart[]): string =>
  parts.map((part) => ("letters" in part ? part.letters : `\${${part.expression}}`)).join("");

/** Returns the item property if the expression consists of nothing else; undefined for any other expression. */
export const propertyIn = (expression: string): string | undefined => {
  const [, plain, quoted] = /^\s*item(?:\.([A-Za-z_]\w*)|\["([^"\\]+)"\])\s*$/.exec(expression) ?? [];
  return plain ?? quoted;
};

/** Returns the expression for an item's property, whose name may contain any characters. */
export const expressionOf = (property: string): string =>
  /^[A-Za-z_]\w*$/.test(property) ? `item.${property}` : `item[${JSON.stringify(property)}]`;
