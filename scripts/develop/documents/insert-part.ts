const END = "<!-- end -->";

/**
 * Replaces one of a document's generated parts: the text between `<!-- name -->` and the next `<!-- end -->`. Throws, naming
 * `path`, if the document has no such part.
 */
export function insertPart(path: string, document: string, name: string, lines: readonly string[]): string {
  const start = `<!-- ${name} -->`;
  const from = document.indexOf(start);
  const to = document.indexOf(END, from);
  if (from < 0 || to < 0) throw new Error(`${path} has no part "${start}"`);
  return `${document.slice(0, from + start.length)}\n${lines.join("\n")}\n${document.slice(to)}`;
}
