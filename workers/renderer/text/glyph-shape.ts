import type { Runs } from "../pixels/framebuffer.ts";

/** How much of each pixel (of 255) a glyph covers. The pen stands at the origin, on the baseline. */
export interface Coverage {
  width: number;
  height: number;
  originX: number;
  originY: number;
  values: Uint8Array;
}

/** Coverages that are tried as the least one of an ink pixel, from the usual one on. */
const STEPS = [0, -12, 12, 24, 36, 48];

/** A place of the pen between two pixels, and what the glyph covers there. */
export interface Position {
  shift: number;
  coverage: Coverage;
}

/**
 * The sharpest of several positions of a glyph at which it keeps its parts and holes: an e stays open, an 8 keeps its
 * two holes. Small print that has lost them may be read as another digit. Where none keeps them the sharpest is taken.
 */
export function sharpest(
  positions: readonly Position[],
  shape: string,
  usual: number,
): { position: Position; from: number } {
  const bySharpness = positions
    .map((position) => ({ position, sharpness: sharpnessOf(position.coverage) }))
    .toSorted((one, other) => other.sharpness - one.sharpness);
  for (const step of STEPS) {
    for (const { position } of bySharpness) {
      if (shapeOf(position.coverage, usual + step) === shape) return { position, from: usual + step };
    }
  }
  const [first] = bySharpness;
  if (first === undefined) throw new TypeError("a glyph has at least one position");
  return { position: first.position, from: usual };
}

/** Between 0, where the ink is spread, and 1, where it fills whole pixels. */
function sharpnessOf({ values }: Coverage): number {
  let ink = 0;
  let squares = 0;
  for (const value of values) {
    ink += value / 255;
    squares += (value / 255) ** 2;
  }
  return ink === 0 ? 0 : squares / ink;
}

/** How many parts and holes a glyph has where its ink begins at a coverage: `2/1` is an i with a round dot. */
export function shapeOf({ width, height, values }: Coverage, from: number): string {
  // A frame around it saves the question whether a neighbour is there; all that is outside counts as seen.
  const stride = width + 2;
  const kinds = new Uint8Array(stride * (height + 2)).fill(SEEN);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      kinds[(y + 1) * stride + x + 1] = (values[y * width + x] as number) >= from ? INK : PAPER;
    }
  }
  const beside = [1, -1, stride, -stride];
  // Ink also holds together over corners, and so cuts off what is beside it.
  const around = [...beside, stride + 1, stride - 1, 1 - stride, -1 - stride];
  let parts = 0;
  let papers = 0;
  for (let start = 0; start < kinds.length; start += 1) {
    const kind = kinds[start];
    if (kind === SEEN) continue;
    if (kind === INK) parts += 1;
    else papers += 1;
    see(kinds, start, kind === INK ? around : beside);
  }
  // The paper around the glyph is no hole.
  return `${parts}/${papers - 1}`;
}

const SEEN = 0;
const INK = 1;
const PAPER = 2;

/** Marks all that hangs together with a pixel as seen. */
function see(kinds: Uint8Array, start: number, neighbours: readonly number[]): void {
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

/** The ink of a glyph in rows, relative to its origin. */
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
