/** A part of a template: letters that every label shows, or an expression. */
export type TextPart = { letters: string } | { expression: string };

/**
 * The parts of a template such as `${item.itemName} from ${item.origin}`. A `}` inside of a string of the expression
 * does not end it; an expression that is not closed counts as letters.
 */
export function partsOf(template: string): TextPart[] {
  const parts: TextPart[] = [];
  let letters = "";
  for (let at = 0; at < template.length; ) {
    const end = template.startsWith("${", at) ? endOf(template, at + 2) : undefined;
    if (end === undefined) {
      letters += template[at];
      at += 1;
      continue;
    }
    if (letters !== "") parts.push({ letters });
    letters = "";
    parts.push({ expression: template.slice(at + 2, end) });
    at = end + 1;
  }
  return letters === "" ? parts : [...parts, { letters }];
}

/** The place of the `}` that closes an expression; undefined if none does. */
function endOf(template: string, from: number): number | undefined {
  let quote = "";
  let depth = 0;
  for (let at = from; at < template.length; at += 1) {
    const character = template[at] ?? "";
    if (quote !== "") {
      if (character === "\\") at += 1;
      else if (character === quote) quote = "";
    } else if (character === '"' || character === "'") quote = character;
    else if (character === "{") depth += 1;
    else if (character === "}" && depth === 0) return at;
    else if (character === "}") depth -= 1;
  }
  return undefined;
}

export const templateOf = (parts: readonly TextPart[]): string =>
  parts.map((part) => ("letters" in part ? part.letters : `\${${part.expression}}`)).join("");

/** The property of an item that an expression is, and nothing else; undefined for any other expression. */
export const propertyIn = (expression: string): string | undefined => {
  const [, plain, quoted] = /^\s*item(?:\.([A-Za-z_]\w*)|\["([^"\\]+)"\])\s*$/.exec(expression) ?? [];
  return plain ?? quoted;
};

/** The expression of an item's property, whatever its letters. */
export const expressionOf = (property: string): string =>
  /^[A-Za-z_]\w*$/.test(property) ? `item.${property}` : `item[${JSON.stringify(property)}]`;
