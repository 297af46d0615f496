type Cells = readonly (string | number)[];

/** The lines of a table in Markdown. `rules` align its columns. */
export const markdownTable = (
  head: Cells,
  rows: readonly Cells[],
  rules: readonly string[] = head.map(() => "---"),
): string[] => [head, rules, ...rows].map((cells) => `| ${cells.join(" | ")} |`);
