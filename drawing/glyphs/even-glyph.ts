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

/** What the strokes of a typeface have in common, in em. */
export interface Strokes {
  /** Width of upright strokes, as of l, and height of level ones, as of z. */
  stem: number;
  bar: number;
  /**
   * The heights above the baseline at which letters end, ascending: those of p below, of the baseline, x, H and l. Round
   * letters go a little beyond flat ones: both ends come to lie on the same edge of a pixel.
   */
  ends: readonly { from: number; to: number }[];
}

/** Part of an em between which a stroke's width lies. */
const [MIN_STROKE, MAX_STROKE] = [0.03, 0.3];
/** A stroke that differs more from the typeface's is none, such as a serif, or the ink of two that meet. */
const [THINNER, WIDER] = [0.65, 1.4];
/** A letter whose halves differ by less is symmetric: o, O, 0, 8, H, but not e or n. */
const MAX_ASYMMETRY = 0.02;
/** Steps from half of a pixel, in the order in which they are tried; the last, which may be uneven, for thin slanted strokes. */
const STEPS = [0, -12, 12, -24, 24, -36, -48];
/** Pen positions in cells. */
const SHIFTS = Array.from({ length: FINE }, (_, index) => index - FINE / 2 + 1);

/** Measures a typeface by its letters, of which `maskOf` returns each at a size of `size` cells. */
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
 * A letter whose strokes are as wide as those of all letters of its typeface and size, and whose two halves are equal
 * if those of its outline are: `mask` is its outline at `size` pixels. Its strokes are made a whole number of pixels wide
 * before it is drawn, so that each covers as many, wherever it stands. Undefined if it would not keep the parts and holes
 * of `shape` (docs/designs/letters.md#letters).
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
  // Thinner ones leave room where three lie above one another, as in e. Slanted strokes keep their height.
  const thinner = Array.from({ length: barPixels }, (_, less) => barPixels - less);
  const present = strokeNear(upright, bar * cells);
  const levels = present === undefined ? [] : thinner.map((pixels) => withPixels(upright, present, pixels));
  for (const level of [...levels, upright]) {
    const found = bestPosition(transposed(level), shape);
    if (found) return found;
  }
  return undefined;
}

/** The first threshold, and there the sharpest pen position, at which a glyph has a shape, and all its ends. */
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

/** A glyph at each pen position: if its halves are equal, at those where its middle is in or between pixels. */
function positionsOf(mask: Mask): { cells: number; coverage: Coverage }[] {
  const [left, right] = extentOf(mask);
  if (asymmetryOf(mask) >= MAX_ASYMMETRY) return SHIFTS.map((cells) => ({ cells, coverage: coverageAt(mask, cells) }));
  return SHIFTS.flatMap((cells) => {
    const ends = Math.floor((left + right + 2 * cells + 1) / FINE);
    const isMiddle = Math.abs(left + right + 2 * cells - ends * FINE) <= 1;
    return isMiddle ? [{ cells, coverage: mirrored(coverageAt(mask, cells), ends) }] : [];
  });
}

/** The coverage with equal halves, each the mean of both; `ends` is the sum of the glyph's left and right end. */
function mirrored(coverage: Coverage, ends: number): Coverage {
  const { width, originX, values } = coverage;
  const mean = values.map((value, pixel) => {
    const x = (pixel % width) - originX;
    const other = pixel + ends - 1 - 2 * x;
    return (value + (values[other] ?? 0)) / 2;
  });
  return { ...coverage, values: mean };
}

/** The width of the strokes of a letter, in cells, if it is near the usual one. */
const strokeNear = (mask: Mask, usual: number): number | undefined => strokeOf(mask, usual * THINNER, usual * WIDER);

/**
 * The mask with strokes of so many pixels, less one cell, in place of `present` cells: half of a whole pixel on either side
 * of an edge would be ink twice.
 */
const withPixels = (mask: Mask, present: number, pixels: number): Mask =>
  withStrokes(mask, Math.round(present), pixels * FINE - 1);

/** The pixels that are ink, as a mask whose cells are pixels. */
const pixelsOf = ({ values, ...size }: Coverage, from: number): Mask => ({
  ...size,
  ink: values.map((value) => (value >= from ? 1 : 0)),
});

/** Whether the pixels extend as far as the outline does with its pen `shift` cells to the right: thin ends may be lost. */
function reachesEnds(pixels: Mask, outline: Mask, shift: number): boolean {
  const reached = extentOf(pixels);
  return extentOf(outline).every((end, side) => {
    const wanted = (side < 2 ? end + shift : end) / FINE;
    return Math.abs((reached[side] ?? 0) - wanted) < 1;
  });
}
