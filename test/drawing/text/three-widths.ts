/** A typeface with three widths in em, whose sums are exact. */
const widths: Readonly<Record<string, number>> = { " ": 0.25, i: 0.25, Q: 1, "…": 1 };
/** The width of a string in em. */
export const measure = (text: string): number =>
  [...text].reduce((sum, character) => sum + (widths[character] ?? 0.5), 0);

/** An area for three lines. */
export const wide = { width: 100, height: 100, size: 10, minimumSize: 10, lines: 3, lineHeight: 1.2, lineExtent: 1 };
