const END = "<!-- end -->";

/**
 * A document with one of its generated parts replaced: what stands between `<!-- name -->` and the next `<!-- end -->`. Throws if it has
 * no such part; `path` names it then.
 */
export function insertPart(path: string, document: string, name: string, lines: readonly string[]): string {
  const start = `<!-- ${name} -->`;
  const from = document.indexOf(start);
  const to = document.indexOf(END, from);
  if (from < 0 || to < 0) throw new Error(`${path} has no part "${start}"`);
  return `${document.slice(0, from + start.length)}\n${lines.join("\n")}\n${document.slice(to)}`;
}
