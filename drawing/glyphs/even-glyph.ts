import { type Coverage, HALF, type Position, shapeOf, sharpnessOf } from "../text/glyph-shape.ts";
import {
  asymmetryOf,
  coverageAt,
  extentOf,
  FINE,
  type Mask,
  strokeOf,
  transposed,
  withMovedRows,
  withStrokes,
} from "./fine-mask.ts";

/** Stroke dimensions that the glyphs of a typeface share, in em. */
export interface Strokes {
  /** Thickness of vertical strokes, as in l, and of horizontal strokes, as in z. */
  stem: number;
  bar: number;
  /**
   * The heights above the baseline at which letters end, ascending: the bottom of p, the baseline, and the tops of x, H and
   * l. Round letters extend a little beyond flat ones. Both ends are moved to the same edge of a pixel.
   */
  ends: readonly { from: number; to: number }[];
}

/** Range of a stroke's width, in em. */
const [MIN_STROKE, MAX_STROKE] = [0.03, 0.3];
/**
 * Ink that differs more from the typeface's stroke width is not a stroke but, for example, a serif or the joint of two
 * strokes.
 */
const [THINNER, WIDER] = [0.65, 1.4];
/** A letter whose halves differ by less is symmetric: o, O, 0, 8 and H, but not e or n. */
const MAX_ASYMMETRY = 0.02;
/**
 * Differences between the threshold and half a pixel, in the order in which they are tried. The last one, which may draw uneven
 * strokes, is for thin slanted strokes.
 */
const STEPS = [0, -12, 12, -24, 24, -36, -48];
/** Pen positions in cells. */
const SHIFTS = Array.from({ length: FINE }, (_, index) => index - FINE / 2 + 1);

/** Measures a typeface by its letters. `maskOf` returns a letter at a size of `size` cells. */
export function strokesOf(maskOf: (letter: string) => Mask, size: number): Strokes {
  const width = (mask: Mask) => (strokeOf(mask, MIN_STROKE * size, MAX_STROKE * size) ?? 0) / size;
  const topOf = ({ ink, width, originY }: Mask) => (originY - Math.floor(ink.indexOf(1) / width)) / size;
  const bottomOf = ({ ink, width, originY }: Mask) => (originY - Math.floor(ink.lastIndexOf(1) / width) - 1) / size;
  const [x, H] = [topOf(maskOf("x")), topOf(maskOf("H"))];
  const round = { below: bottomOf(maskOf("o")), x: topOf(maskOf("o")), H: topOf(maskOf("O")) };
  const ends = [
    { from: bottomOf(maskOf("p")), to: bottomOf(maskOf("p")) },
    ...[Math.min(round.below, 0), 0].map((from) => ({ from, to: 0 })),
    ...[x, Math.max(round.x, x)].map((from) => ({ from, to: x })),
    ...[H, Math.max(round.H, H)].map((from) => ({ from, to: H })),
  ];
  const l = topOf(maskOf("l"));
  if (l > round.H) ends.push({ from: l, to: l });
  return { stem: width(maskOf("l")), bar: width(transposed(maskOf("z"))), ends };
}

/**
 * Draws a letter with strokes as wide as those of all letters of its typeface and size, and with equal halves if its outline
 * has equal halves. `mask` is its outline at `size` pixels. The strokes are first made a whole number of pixels wide, so that
 * each covers the same number of pixels wherever it is. Returns undefined if the letter would not keep the parts and holes of
 * `shape` (docs/designs/letters.md#letters).
 */
export function evenGlyph(
  mask: Mask,
  { stem, bar, ends }: Strokes,
  size: number,
  shape: string,
): { position: Position; from: number } | undefined {
  const cells = size * FINE;
  const onPixels = withMovedRows(
    mask,
    ends.map(({ from }) => from * cells),
    ends.map(({ to }) => Math.round(to * size) * FINE),
  );
  const stemPixels = Math.max(1, Math.round(stem * size));
  const upright = transposed(withPixels(onPixels, strokeNear(onPixels, stem * cells) ?? stem * cells, stemPixels));
  const barPixels = Math.max(1, Math.min(stemPixels, Math.round(bar * size)));
  // Thinner horizontal strokes leave space between three strokes that lie above one another, as in e. Slanted strokes keep
  // their height.
  const thinner = Array.from({ length: barPixels }, (_, less) => barPixels - less);
  const present = strokeNear(upright, bar * cells);
  const levels = present === undefined ? [] : thinner.map((pixels) => withPixels(upright, present, pixels));
  for (const level of [...levels, upright]) {
    const found = bestPosition(transposed(level), shape);
    if (found) return found;
  }
  return undefined;
}

/** Returns the first threshold at which a glyph keeps its shape and all its ends, with the sharpest pen position there. */
function bestPosition(mask: Mask, shape: string): { position: Position; from: number } | undefined {
  const sharpestFirst = positionsOf(mask)
    .map((position) => ({ ...position, sharpness: sharpnessOf(position.coverage) }))
    .toSorted((one, other) => other.sharpness - one.sharpness);
  for (const step of STEPS) {
    const from = HALF + step;
    const found = sharpestFirst.find(
      ({ coverage, cells }) => reachesEnds(pixelsOf(coverage, from), mask, cells) && shapeOf(coverage, from) === shape,
    );
    if (found) return { position: { shift: found.cells / FINE, coverage: found.coverage }, from };
  }
  return undefined;
}

/**
 * Returns a glyph at each pen position. If its halves are equal, uses only positions at which its middle is in or between pixels.
 */
function positionsOf(mask: Mask): { cells: number; coverage: Coverage }[] {
  const [left, right] = extentOf(mask);
  if (asymmetryOf(mask) >= MAX_ASYMMETRY) return SHIFTS.map((cells) => ({ cells, coverage: coverageAt(mask, cells) }));
  return SHIFTS.flatMap((cells) => {
    const ends = Math.floor((left + right + 2 * cells + 1) / FINE);
    const isMiddle = Math.abs(left + right + 2 * cells - ends * FINE) <= 1;
    return isMiddle ? [{ cells, coverage: mirrored(coverageAt(mask, cells), ends) }] : [];
  });
}

/** Returns the coverage with equal halves, each the mean of both. `ends` is the sum of the glyph's left and right ends. */
function mirrored(coverage: Coverage, ends: number): Coverage {
  const { width, originX, values } = coverage;
  const mean = values.map((value, pixel) => {
    const x = (pixel % width) - originX;
    const other = pixel + ends - 1 - 2 * x;
    return (value + (values[other] ?? 0)) / 2;
  });
  return { ...coverage, values: mean };
}

/** Returns the width of a letter's strokes, in cells, if it is near the usual width. */
const strokeNear = (mask: Mask, usual: number): number | undefined => strokeOf(mask, usual * THINNER, usual * WIDER);

/**
 * Returns the mask with its strokes of `present` cells made this many pixels wide, less one cell. If that cell were kept, half
 * a pixel at each edge would count as ink twice.
 */
const withPixels = (mask: Mask, present: number, pixels: number): Mask =>
  withStrokes(mask, Math.round(present), pixels * FINE - 1);

/** Returns the pixels that are ink, as a mask whose cells are pixels. */
const pixelsOf = ({ values, ...size }: Coverage, from: number): Mask => ({
  ...size,
  ink: values.map((value) => (value >= from ? 1 : 0)),
});

/** Whether the pixels extend as far as the outline with its pen `shift` cells to the right. Thin ends may be lost. */
function reachesEnds(pixels: Mask, outline: Mask, shift: number): boolean {
  const reached = extentOf(pixels);
  return extentOf(outline).every((end, side) => {
    const wanted = (side < 2 ? end + shift : end) / FINE;
    return Math.abs((reached[side] ?? 0) - wanted) < 1;
  });
}
