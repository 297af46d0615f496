/** An item property that an expression reads, with its line and column, both from 1. */
export interface Reading {
  name: string;
  line: number;
  column: number;
}

/** A string in quotes, closed or not. */
const quotedText = /"(?:[^"\\]|\\[\s\S])*"?/g;

/** Returns the item properties that an expression reads, in order. */
export function readingsIn(source: string): Reading[] {
  const found = [...namesAfterDot(source), ...namesInQuotes(source)].sort((one, other) => one.index - other.index);
  return found.map(({ name, index }) => {
    const lines = source.slice(0, index).split("\n");
    return { name, line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
  });
}

/** Returns the names of properties that expressions read, each once. */
export const readProperties = (expressions: readonly string[]): string[] => [
  ...new Set(expressions.flatMap((source) => readingsIn(source).map(({ name }) => name))),
];

interface Named {
  name: string;
  index: number;
}

function namesAfterDot(source: string): Named[] {
  const bare = source.replaceAll(quotedText, (text) => " ".repeat(text.length));
  return [...bare.matchAll(/\bitem\.([A-Za-z_]\w*)/g)].map(({ 1: name = "", index }) => ({
    name,
    index: index + "item.".length,
  }));
}

/** Returns the names in `item["name"]` and in `"name" in item`. */
const namesInQuotes = (source: string): Named[] =>
  [...source.matchAll(quotedText)].flatMap(({ 0: text, index }) => {
    const after = source.slice(index + text.length);
    const isRead = (source.slice(0, index).endsWith("item[") && after.startsWith("]")) || after.startsWith(" in item");
    return isRead ? [{ name: text.slice(1, -1), index: index + 1 }] : [];
  });
