import type { Runs } from "../pixels/framebuffer.ts";

/** The ink of a character, relative to the pen on the baseline. */
export interface Glyph {
  runs: Runs;
  /** The shift to the right, in fractions of a pixel, at which the glyph was drawn because it is sharpest there. */
  shift: number;
  /** Bounding box of the ink: first column and row, last column + 1 and last row + 1. All are 0 if there is no ink. */
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** A small picture, drawn by hand: rows from top to bottom, separated by "/", with a "#" for each pixel of ink. */
export type Strip = string;

/** Pixels of ink as columns by row, relative to the pen on the baseline. */
export type Ink = Map<number, Set<number>>;

export const widthOf = (strip: Strip): number => strip.split("/", 1)[0]?.length ?? 0;
export const heightOf = (strip: Strip): number => strip.split("/").length;

const rowsOf = (strip: Strip): string[] => strip.split("/");

/** Return the strip upside down, and the strip with left and right exchanged. */
export const flipped = (strip: Strip): Strip => rowsOf(strip).toReversed().join("/");
export const mirrored = (strip: Strip): Strip =>
  rowsOf(strip)
    .map((row) => [...row].toReversed().join(""))
    .join("/");

/** Returns the strip twice, side by side. */
export const twice = (strip: Strip): Strip =>
  rowsOf(strip)
    .map((row) => `${row}.${row}`)
    .join("/");

/** Adds a strip to `ink`. (x, y) is the strip's top left pixel. */
export function addStrip(ink: Ink, strip: Strip, x: number, y: number): void {
  for (const [row, pixels] of rowsOf(strip).entries()) {
    const columns = ink.get(y + row) ?? new Set();
    for (const [column, pixel] of [...pixels].entries()) if (pixel === "#") columns.add(x + column);
    ink.set(y + row, columns);
  }
}

/** Adds the pixels of a glyph to `ink`, moved by (x, y). */
export function addGlyph(ink: Ink, { runs }: Glyph, x = 0, y = 0): void {
  for (let at = 0; at < runs.length; at += 3) {
    const [row = 0, from = 0, to = 0] = runs.subarray(at, at + 3);
    const columns = ink.get(row + y) ?? new Set();
    for (let column = from; column < to; column += 1) columns.add(column + x);
    ink.set(row + y, columns);
  }
}

/**
 * Returns the glyph one row shorter, with its top a row lower. The removed row equals the next row and is the closest such row to
 * the middle, so strokes keep their width. Undefined if no two rows are equal.
 */
export function withoutRow(glyph: Glyph): Glyph | undefined {
  const ink: Ink = new Map();
  addGlyph(ink, glyph);
  const textOf = (row: number): string => [...(ink.get(row) ?? [])].join();
  const middle = (glyph.top + glyph.bottom) / 2;
  const [row] = [...ink.keys()]
    .filter((candidate) => candidate < 0 && textOf(candidate) === textOf(candidate + 1))
    .toSorted((one, other) => Math.abs(one - middle) - Math.abs(other - middle));
  if (row === undefined) return undefined;
  ink.delete(row);
  const rest = [...ink].map(([at, columns]) => [at < row ? at + 1 : at, columns] as const);
  return glyphOfInk(new Map(rest), glyph.shift);
}

/** Returns the glyph with the given pixels. `shift` is the shift of the glyph from which they were composed. */
export function glyphOfInk(ink: Ink, shift: number): Glyph {
  const runs: number[] = [];
  for (const [row, columns] of [...ink].toSorted(([one], [other]) => one - other)) {
    for (const column of [...columns].toSorted((one, other) => one - other)) {
      if (runs.at(-3) === row && runs.at(-1) === column) runs[runs.length - 1] = column + 1;
      else runs.push(row, column, column + 1);
    }
  }
  return glyphOfRuns(Int16Array.from(runs), shift);
}

/** Returns the glyph with the given runs, which are sorted by row, and with its bounding box. */
export function glyphOfRuns(runs: Runs, shift: number): Glyph {
  if (runs.length === 0) return { runs, shift, left: 0, top: 0, right: 0, bottom: 0 };
  let [left, right] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let at = 0; at < runs.length; at += 3) {
    left = Math.min(left, runs[at + 1] as number);
    right = Math.max(right, runs[at + 2] as number);
  }
  return { runs, shift, left, top: runs[0] as number, right, bottom: (runs.at(-3) as number) + 1 };
}
