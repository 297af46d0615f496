/** A part of a template: text, or an expression with its position in the source. */
export type TemplatePart = string | { expression: string; at: number };

/**
 * Splits a template into text and `${...}` expressions. An expression ends at the first closing brace outside quotes and
 * inner braces. `unclosedAt` is the position of an expression without an end, which follows the last part.
 */
export function splitTemplate(source: string): { parts: TemplatePart[]; unclosedAt?: number } {
  const parts: TemplatePart[] = [];
  let from = 0;
  for (let start = source.indexOf("${"); start >= 0; start = source.indexOf("${", from)) {
    const end = closingBrace(source, start + 2);
    if (end < 0) return { parts, unclosedAt: start };
    parts.push(source.slice(from, start), { expression: source.slice(start + 2, end), at: start + 2 });
    from = end + 1;
  }
  parts.push(source.slice(from));
  return { parts: parts.filter((part) => part !== "") };
}

function closingBrace(source: string, from: number): number {
  let depth = 0;
  let quote = "";
  for (let at = from; at < source.length; at += 1) {
    const character = source[at] as string;
    if (quote !== "") {
      if (character === "\\") at += 1;
      else if (character === quote) quote = "";
    } else if (character === '"' || character === "'") quote = character;
    else if (character === "{") depth += 1;
    else if (character === "}" && depth === 0) return at;
    else if (character === "}") depth -= 1;
  }
  return -1;
}
