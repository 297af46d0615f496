import type { Coverage } from "../text/glyph-shape.ts";

/** Number of a mask's cells along each side of a pixel. */
export const FINE = 8;

/** A glyph in cells of ink or paper, much finer than pixels. The origin is the pen on the baseline. */
export interface Mask {
  width: number;
  height: number;
  originX: number;
  originY: number;
  /** 1 for ink, row by row. */
  ink: Uint8Array;
}

/** Returns the mask with rows and columns exchanged, so that a function for rows can work on columns. */
export function transposed({ width, height, originX, originY, ink }: Mask): Mask {
  const turned = new Uint8Array(ink.length);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) turned[x * height + y] = ink[y * width + x] as number;
  return { width: height, height: width, originX: originY, originY: originX, ink: turned };
}

/** Calls `visit` for each run of ink, with its row, its first cell, and the cell after its last. */
function eachRun({ width, height, ink }: Mask, visit: (y: number, from: number, to: number) => void): void {
  for (let y = 0; y < height; y += 1) {
    let from = -1;
    for (let x = 0; x <= width; x += 1) {
      const isInk = x < width && ink[y * width + x] === 1;
      if (isInk && from < 0) from = x;
      if (isInk || from < 0) continue;
      visit(y, from, x);
      from = -1;
    }
  }
}

/** Rows over which a vertical stroke stays in place, and cells by which a round stroke may shift over those rows. */
const [ROWS, DRIFT] = [6, 1];

/**
 * Returns the width of vertical strokes: the most frequent length of runs of ink that lie above one another, between `min` and
 * `max` cells. Undefined if there are none. Slanted strokes have runs longer than their width.
 */
export function strokeOf(mask: Mask, min: number, max: number): number | undefined {
  const rows = Array.from({ length: mask.height }, (): [from: number, to: number][] => []);
  eachRun(mask, (y, from, to) => void rows[y]?.push([from, to]));
  const counts = new Map<number, number>();
  const count = (length: number, by: number) => counts.set(length, (counts.get(length) ?? 0) + by);
  for (const [y, runs] of rows.entries())
    for (const [from, to] of runs) {
      const length = to - from;
      if (length < min || length > max) continue;
      const isUpright = rows[y - ROWS]?.some(
        ([above, end]) => Math.abs(above - from) <= DRIFT && Math.abs(end - to) <= DRIFT,
      );
      if (!isUpright) continue;
      count(length, 2);
      // Adjacent lengths count too: a round stroke has few runs of equal length.
      count(length - 1, 1);
      count(length + 1, 1);
    }
  const [most] = [...counts].toSorted(([one, more], [other, fewer]) => fewer - more || one - other);
  return most?.[0];
}

/**
 * Returns the mask with strokes of a different width. Runs about as wide as `present` become exactly as wide as `wanted`. All
 * longer runs change by the same amount; shorter runs change only if strokes become wider. No run disappears, because thin
 * joints hold letters together.
 */
export function withStrokes(mask: Mask, present: number, wanted: number): Mask {
  const { width } = mask;
  const ink = new Uint8Array(mask.ink.length);
  eachRun(mask, (y, from, to) => {
    const isStroke = Math.abs(to - from - present) <= 1;
    const change = to - from > present ? wanted - present : Math.max(0, wanted - present);
    const length = isStroke ? wanted : to - from + change;
    const start = Math.max(0, from - Math.floor((length - (to - from)) / 2));
    ink.fill(1, y * width + start, y * width + Math.min(width, start + length));
  });
  return { ...mask, ink };
}

/**
 * Returns the mask with its rows moved: the row `from[n]` cells above the baseline moves to `to[n]` cells above it. Both lists
 * ascend. A row below the first entry or above the last moves by the same distance as that entry.
 */
export function withMovedRows(mask: Mask, from: readonly number[], to: readonly number[]): Mask {
  const { width, height, originY } = mask;
  const ink = new Uint8Array(mask.ink.length);
  for (let y = 0; y < height; y += 1) {
    const source = Math.floor(originY - sourceOf(originY - y - 0.5, from, to));
    if (source >= 0 && source < height) ink.set(mask.ink.subarray(source * width, (source + 1) * width), y * width);
  }
  return { ...mask, ink };
}

function sourceOf(above: number, from: readonly number[], to: readonly number[]): number {
  const next = to.findIndex((end) => above <= end);
  if (next <= 0) return above + ((next < 0 ? from.at(-1) : from[0]) ?? 0) - ((next < 0 ? to.at(-1) : to[0]) ?? 0);
  const [low, high] = [to[next - 1] ?? 0, to[next] ?? 0];
  const share = high === low ? 1 : (above - low) / (high - low);
  return (from[next - 1] ?? 0) + share * ((from[next] ?? 0) - (from[next - 1] ?? 0));
}

/** Returns how much of each pixel the ink covers if the pen is `shift` cells to the right of a pixel's edge. */
export function coverageAt({ width, height, originX, originY, ink }: Mask, shift: number): Coverage {
  const [left, top] = [Math.ceil(originX / FINE) + 1, Math.ceil(originY / FINE)];
  const columns = left + Math.ceil((width - originX) / FINE) + 2;
  const rows = top + Math.ceil((height - originY) / FINE) + 1;
  const values = new Uint8Array(columns * rows);
  for (let y = 0; y < height; y += 1) {
    const row = (Math.floor((y - originY) / FINE) + top) * columns;
    for (let x = 0; x < width; x += 1) {
      if (ink[y * width + x] !== 1) continue;
      const pixel = row + Math.floor((x - originX + shift) / FINE) + left;
      // 64 cells cover a pixel completely.
      values[pixel] = Math.min(255, (values[pixel] as number) + 256 / FINE ** 2);
    }
  }
  return { width: columns, height: rows, originX: left, originY: top, values };
}

/** Returns the first and last column and row of cells with ink, each counted from the origin. The last is exclusive. */
export function extentOf({ width, height, originX, originY, ink }: Mask): [number, number, number, number] {
  let [left, right] = [width, 0];
  for (let cell = 0; cell < ink.length; cell += 1) {
    if (ink[cell] !== 1) continue;
    left = Math.min(left, cell % width);
    right = Math.max(right, (cell % width) + 1);
  }
  const [first, last] = [ink.indexOf(1), ink.lastIndexOf(1)].map((cell) => Math.floor(cell / width));
  return [left - originX, right - originX, (first ?? 0) - originY, (last ?? height) + 1 - originY];
}

/** Returns the share of the ink that has no ink of the mirrored mask at the same place or next to it. */
export function asymmetryOf(mask: Mask): number {
  const { width, originX, ink } = mask;
  const [left, right] = extentOf(mask).map((end) => end + originX) as [number, number];
  let [all, unmatched] = [0, 0];
  for (let cell = 0; cell < ink.length; cell += 1) {
    if (ink[cell] !== 1) continue;
    const other = cell + left + right - 1 - 2 * (cell % width);
    all += 1;
    if (ink[other] !== 1 && ink[other - 1] !== 1 && ink[other + 1] !== 1) unmatched += 1;
  }
  return all === 0 ? 1 : unmatched / all;
}
