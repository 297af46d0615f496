type Cells = readonly (string | number)[];

/** Returns the lines of a Markdown table. `rules` align its columns. */
export const markdownTable = (
  head: Cells,
  rows: readonly Cells[],
  rules: readonly string[] = head.map(() => "---"),
): string[] => [head, rules, ...rows].map((cells) => `| ${cells.join(" | ")} |`);
