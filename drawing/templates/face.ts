import type { LayoutElement } from "../../schemas/canvas.ts";
import type { PriceElement, TextElement } from "../../schemas/canvas-texts.ts";
import { MILLIMETRES_PER_INCH } from "../../schemas/lengths.ts";
import { layOutText } from "../text/draw-text.ts";
import { inkOf } from "../text/glyphs.ts";
import type { Words } from "./words.ts";

/** The label for which a template is laid out. */
export interface Face {
  width: number;
  height: number;
  dpi: number;
  words: Words;
}

/** Minimum heights of digits in millimetres: for a unit price, and for the lowest price of 30 days. */
export const LEGAL = { unitPrice: 3, lowestPrice: 2.5 } as const;

/** Height of a line, and distance between two baselines, in em of the narrow face. */
const [LINE, LEADING] = [1.21, 1.05];

/**
 * Up to this height in millimetres, or 0.7 of the width if that is less, the lines of a label have their minimum sizes. On
 * larger labels the lines grow.
 */
const USUAL_SIDE = 36;

/** Returns a length in pixels that grows with the label, because a large label is read from further away. */
const grown = ({ width, height, dpi }: Face, mm: number): number =>
  mm * Math.max(1, (Math.min(width * 0.7, height) * MILLIMETRES_PER_INCH) / dpi / USUAL_SIDE);

/** Returns the size of letters that grow with the label. */
export const grownSizeFor = (face: Face, mm: number): number => sizeFor(face, grown(face, mm));

/** Returns a length that grows with the label, in pixels. */
export const grownPixels = (face: Face, mm: number): number => pixelsOf(face, grown(face, mm));

export const pixelsOf = ({ dpi }: Face, mm: number): number => Math.ceil((mm * dpi) / MILLIMETRES_PER_INCH);

/** Returns the smallest size at which digits of the narrow face have at least this height in millimetres. */
export function sizeFor(face: Face, mm: number): number {
  const least = (mm * face.dpi) / MILLIMETRES_PER_INCH;
  let size = Math.floor(least);
  while (digitHeight(size) < least) size += 1;
  return size;
}

/** Returns the height of the shortest digit of the narrow face, in pixels. Round digits are slightly taller. */
function digitHeight(size: number): number {
  const { top, bottom } = inkOf("narrow", size)("1".charCodeAt(0));
  return bottom - top;
}

/** Returns the height of lines of text in the narrow face. */
export const heightOf = (size: number, lines = 1): number =>
  Math.ceil(size * LINE) + (lines - 1) * Math.ceil(size * LEADING) + 1;

/** A line of a column: text in the narrow face. */
export interface Line {
  text: string;
  size: number;
  /** Maximum number of lines. With a sample, as many as the sample needs. */
  lines?: number;
  /** The text that needs the most space. If it does not fit on a label, the template is not offered for that label. */
  sample?: string;
  visible?: string;
  /** Height in addition to the letters' height, such as for a box. `inWidth` subtracts it from the width too. */
  extra?: number;
  /** More fields of the text element. */
  more?: Partial<TextElement>;
}

/** Returns the unit price, which the law requires: complete, and never smaller than its minimum height. */
export const unitPriceLine = (face: Face, size = grownSizeFor(face, LEGAL.unitPrice)): Line => ({
  text: "${unitPrice(item.price, item.quantity, item.unitPrice)}",
  size,
  visible: "has(item.unitPrice) && has(item.quantity)",
  sample: face.words.longestUnitPrice,
  more: { whole: true, minimumSize: sizeFor(face, LEGAL.unitPrice) },
});

/** Returns the line for the lowest price of the last 30 days, which the law requires next to an offer; its words may wrap. */
export const lowestPriceLine = (face: Face): Line => ({
  text: "${lowestPrice30(item.lowestPrice30)}",
  size: grownSizeFor(face, LEGAL.lowestPrice),
  lines: 3,
  sample: face.words.longestLowestPrice,
  visible: "has(item.lowestPrice30)",
  more: { whole: true, minimumSize: sizeFor(face, LEGAL.lowestPrice) },
});

/** Returns small print that may be cut. */
export const smallLine = (face: Face, text: string, visible?: string): Line => ({
  text,
  size: Math.max(12, grownSizeFor(face, 1.8)),
  ...(visible !== undefined && { visible }),
  more: { ellipsis: "word" },
});

/** Returns a line with as many lines as its sample needs at a width. Undefined if it would need more lines than its maximum. */
export function inWidth(line: Line, width: number): Line | undefined {
  const { sample, lines = 1, extra = 0 } = line;
  if (sample === undefined) return line;
  const element = { ...textOf({ ...line, lines }, { x: 0, y: 0, width: width - extra }), minimumSize: line.size };
  const { fitted } = layOutText(element, sample);
  return fitted.isCut || fitted.leavesArea ? undefined : { ...line, lines: fitted.lines.length };
}

export const lineHeights = (lines: readonly Line[], gap: number): number =>
  lines.reduce((sum, line) => sum + heightOfLine(line) + gap, -gap);

const heightOfLine = ({ size, lines = 1, extra = 0 }: Line): number => heightOf(size, lines) + extra;

export const textOf = (line: Line, area: { x: number; y: number; width: number }): TextElement => ({
  kind: "text",
  ...area,
  height: heightOfLine(line),
  font: "narrow",
  size: line.size,
  ...(line.lines !== undefined && { lines: line.lines, lineHeight: Math.round(LEADING * 100) }),
  text: line.text,
  color: "contrast",
  ...(line.visible !== undefined && { visible: line.visible }),
  ...line.more,
});

/** Returns a column of lines that flow: a line that is left out, or that needs fewer lines than it may have, leaves no gap. */
export const columnOf = (
  lines: readonly Line[],
  area: { x: number; y: number; width: number; height: number },
  gap: number,
  align: "start" | "end" = "end",
): LayoutElement => ({
  kind: "stack",
  ...area,
  gap,
  align,
  flow: "content",
  elements: lines.map((line) => textOf(line, { x: 0, y: 0, width: area.width })),
});

/** Returns a price as large as its area allows. */
export const priceOf = (
  area: { x: number; y: number; width: number; height: number },
  more: Partial<PriceElement> = {},
): PriceElement => ({
  kind: "price",
  ...area,
  font: "bold",
  size: Math.max(12, Math.floor(area.height / 0.9)),
  minimumSize: 12,
  decimalsPercent: 45,
  align: "right",
  verticalAlign: "bottom",
  value: "${item.price}",
  color: "contrast",
  ...more,
});
