import type { Runs } from "../pixels/framebuffer.ts";

/** Coverage of each pixel by a glyph, 0 to 255. The origin is the pen on the baseline. */
export interface Coverage {
  width: number;
  height: number;
  originX: number;
  originY: number;
  values: Uint8Array;
}

/** Steps from the usual threshold of ink, in the order in which they are tried. */
const THRESHOLD_STEPS = [0, -12, 12, 24, 36, 48];

/** Pen positions between two pixels. A stroke on one pixel column is sharper than a stroke on two. */
export const PHASES = [0, 0.25, -0.25, 0.5];
/** At this size and above, strokes are several pixels wide, so their position does not matter. */
export const LARGE = 24;
/** The size and the coverage at which a glyph's reference parts and holes are counted. */
export const REFERENCE = 64;
export const HALF = 128;

/** Coverage (of 255) from which a pixel is ink, because e-paper has no greys. */
export const INK = 112;
/**
 * Lower thresholds for small sizes, as pairs of size limit and coverage: thin strokes cover less than half of a pixel and
 * would break.
 */
const SMALL_INK = {
  thin: [
    [10, 60],
    [13, 72],
    [16, 88],
  ],
  bold: [[24, 104]],
} as const;

/** A pen position between two pixels, and the glyph's coverage there. */
export interface Position {
  shift: number;
  coverage: Coverage;
}

/**
 * Chooses the sharpest position of a glyph at which it keeps its parts and holes: an e stays open, an 8 keeps its two holes.
 * Without them, a small digit may be misread as a different one. If no position keeps them, or if no shape is required, the
 * sharpest one is used.
 */
export function sharpest(
  positions: readonly Position[],
  shape: string | undefined,
  usual: number,
): { position: Position; from: number } {
  const bySharpness = positions
    .map((position) => ({ position, sharpness: sharpnessOf(position.coverage) }))
    .toSorted((a, b) => b.sharpness - a.sharpness);
  for (const step of shape === undefined ? [] : THRESHOLD_STEPS) {
    for (const { position } of bySharpness) {
      if (shapeOf(position.coverage, usual + step) === shape) return { position, from: usual + step };
    }
  }
  const [first] = bySharpness;
  if (first === undefined) throw new TypeError("a glyph has at least one position");
  return { position: first.position, from: usual };
}

/** Returns the coverage from which a pixel of a glyph is ink, unless that changes the glyph's shape. */
export function usualInk(size: number, isBold: boolean): number {
  const [, usual] = SMALL_INK[isBold ? "bold" : "thin"].find(([below]) => size < below) ?? [0, INK];
  return usual;
}

/** Returns the sharpness between 0, for spread ink, and 1, for ink that fills whole pixels. */
export function sharpnessOf({ values }: Coverage): number {
  let ink = 0;
  let squares = 0;
  for (const value of values) {
    ink += value / 255;
    squares += (value / 255) ** 2;
  }
  return ink === 0 ? 0 : squares / ink;
}

/**
 * Counts a glyph's parts and holes. Pixels with at least this coverage are ink. `2/1` is an é: two parts, one of them with a
 * hole.
 */
export function shapeOf({ width, height, values }: Coverage, from: number): string {
  // A frame of pixels marked as seen around the glyph makes border checks unnecessary.
  const stride = width + 2;
  const kinds = new Uint8Array(stride * (height + 2)).fill(SEEN);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      kinds[(y + 1) * stride + x + 1] = (values[y * width + x] as number) >= from ? SOLID : PAPER;
    }
  }
  const beside = [1, -1, stride, -stride];
  // Ink is also connected diagonally, and so separates the paper next to it.
  const around = [...beside, stride + 1, stride - 1, 1 - stride, -1 - stride];
  let parts = 0;
  let papers = 0;
  for (let start = 0; start < kinds.length; start += 1) {
    const kind = kinds[start];
    if (kind === SEEN) continue;
    if (kind === SOLID) parts += 1;
    else papers += 1;
    markSeen(kinds, start, kind === SOLID ? around : beside);
  }
  // The paper around the glyph does not count as a hole.
  return `${parts}/${papers - 1}`;
}

const SEEN = 0;
const SOLID = 1;
const PAPER = 2;

/** Marks all pixels that are connected to a pixel as seen. */
function markSeen(kinds: Uint8Array, start: number, neighbours: readonly number[]): void {
  const kind = kinds[start];
  const waiting = [start];
  kinds[start] = SEEN;
  for (let pixel = waiting.pop(); pixel !== undefined; pixel = waiting.pop()) {
    for (const offset of neighbours) {
      if (kinds[pixel + offset] !== kind) continue;
      kinds[pixel + offset] = SEEN;
      waiting.push(pixel + offset);
    }
  }
}

/** Returns the ink of a glyph as runs, relative to its origin. */
export function runsOf({ width, height, originX, originY, values }: Coverage, from: number): Runs {
  const runs: number[] = [];
  for (let y = 0; y < height; y += 1) {
    let start = -1;
    for (let x = 0; x <= width; x += 1) {
      const isInk = x < width && (values[y * width + x] as number) >= from;
      if (isInk && start < 0) start = x;
      if (!isInk && start >= 0) {
        runs.push(y - originY, start - originX, x - originX);
        start = -1;
      }
    }
  }
  return Int16Array.from(runs);
}
