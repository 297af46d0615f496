import type { Glyph } from "../../../drawing/text/glyphs.ts";

/**
 * A glyph's pixels from its left edge: a bit for each pixel in a row, with rows keyed by their distance to the
 * baseline.
 */
export interface Pixels {
  character: string;
  rows: ReadonlyMap<number, bigint>;
  width: number;
  ink: number;
  /** The number of ink pixels in each row, starting HIGHEST rows above the baseline. */
  inkOfRows: Uint8Array;
}

const HIGHEST = 64;

export function pixelsOf(character: string, { runs, left, right }: Glyph): Pixels {
  const rows = new Map<number, bigint>();
  const inkOfRows = new Uint8Array(2 * HIGHEST);
  let ink = 0;
  for (let at = 0; at < runs.length; at += 3) {
    const [y = 0, from = 0, to = 0] = runs.subarray(at, at + 3);
    const bits = ((1n << BigInt(to - from)) - 1n) << BigInt(from - left);
    rows.set(y, (rows.get(y) ?? 0n) | bits);
    ink += to - from;
    inkOfRows[y + HIGHEST] = (inkOfRows[y + HIGHEST] ?? 0) + to - from;
  }
  return { character, rows, width: right - left, ink, inkOfRows };
}

/** Counts the separate parts of the ink; pixels that touch at a corner belong to one part. */
function partsOf({ rows, width }: Pixels): number {
  const left = new Map(rows);
  const take = (y: number, x: number): void => {
    const bits = left.get(y) ?? 0n;
    if (x < 0 || x >= width || !((bits >> BigInt(x)) & 1n)) return;
    left.set(y, bits & ~(1n << BigInt(x)));
    for (const down of [-1, 0, 1]) for (const along of [-1, 0, 1]) take(y + down, x + along);
  };
  let parts = 0;
  for (const y of rows.keys()) {
    for (let x = 0; x < width; x += 1) {
      if (!(((left.get(y) ?? 0n) >> BigInt(x)) & 1n)) continue;
      parts += 1;
      take(y, x);
    }
  }
  return parts;
}

/**
 * Pairs of glyphs that a person may confuse: at some offset they differ in fewer than two pixels, and not by a separate
 * part such as the dot of an i.
 */
export function alike(glyphs: readonly Pixels[], least = 2): [Pixels, Pixels][] {
  const sorted = glyphs.toSorted((one, other) => one.ink - other.ink);
  const pairs: [Pixels, Pixels][] = [];
  for (const [index, one] of sorted.entries()) {
    for (let next = index + 1; next < sorted.length; next += 1) {
      const other = sorted[next] as Pixels;
      // Two glyphs differ in at least as many pixels as the difference between their ink.
      if (other.ink - one.ink >= least) break;
      const near = distance(one, other, least);
      if (near === 0 || (near < least && partsOf(one) === partsOf(other))) pairs.push([one, other]);
    }
  }
  return pairs;
}

/** The number of pixels in which two glyphs differ, at the offset with the fewest. */
function distance(one: Pixels, other: Pixels, enough: number): number {
  // Whatever the offset, two rows differ in at least as many pixels as the difference between their ink.
  let least = 0;
  for (let row = 0; row < one.inkOfRows.length && least < enough; row += 1) {
    least += Math.abs((one.inkOfRows[row] as number) - (other.inkOfRows[row] as number));
  }
  if (least >= enough) return least;
  let nearest = Number.POSITIVE_INFINITY;
  for (const shift of new Set([0, -1, 1, one.width - other.width])) {
    nearest = Math.min(nearest, differing(one, other, shift, nearest));
  }
  return nearest;
}

function differing(one: Pixels, other: Pixels, shift: number, enough: number): number {
  const [left, right] = [BigInt(Math.max(0, -shift)), BigInt(Math.max(0, shift))];
  let count = 0;
  for (const [y, bits] of one.rows) {
    count += bitsIn((bits << left) ^ ((other.rows.get(y) ?? 0n) << right));
    if (count >= enough) return count;
  }
  for (const [y, bits] of other.rows) if (!one.rows.has(y)) count += bitsIn(bits);
  return count;
}

function bitsIn(bits: bigint): number {
  let count = 0;
  for (let rest = bits; rest > 0n; rest &= rest - 1n) count += 1;
  return count;
}
