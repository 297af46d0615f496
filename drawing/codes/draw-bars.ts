import type { LinearCodeElement } from "../../schemas/canvas-codes.ts";
import { type DrawingNotice, notice } from "../../schemas/drawing-notice.ts";
import { PLAIN } from "../glyphs/readable.ts";
import { type Area, type Framebuffer, fillRectangle, repeatRow } from "../pixels/framebuffer.ts";
import { drawCharacters, newInk } from "../text/draw-characters.ts";
import { reachOf, widthOf } from "../text/fonts.ts";
import { offsetOf } from "../text/offset.ts";
import { shortened } from "../text/shortened.ts";
import { CodeError } from "./code-error.ts";
import { type LinearSymbol, linearSymbol } from "./encode-codes.ts";
import { DIGIT_MODULES, guardedDigits } from "./guard-bars.ts";

/** Minimum width of a module, in pixels. Labels have coarse dots, so narrower modules do not scan reliably. */
export const MIN_MODULE = 2;
const MIN_BARS = 10;
/** Minimum height of bars with text below them, in pixels. */
const MIN_BARS_WITH_TEXT = 20;
const TEXT_FACE = "regular";
const MIN_TEXT_SIZE = 10;
const MAX_TEXT_SIZE = 24;
/** Minimum size of digits between guard bars, in pixels: narrow modules have small digits. */
const MIN_DIGIT_SIZE = 8;
const TEXT_PART = 1 / 5;
/** Below this size, the letters of a line would touch, so they are set a pixel further apart. */
const MIN_UNSPACED_SIZE = 15;

/** Palette indices of a code's two colours. */
export interface CodeColors {
  dark: number;
  light: number;
}

/** A code as it was drawn. */
export interface DrawnCode {
  /** The area that the code covers, including its quiet zones. */
  covered: Area;
  warnings: DrawingNotice[];
}

interface PlacedSymbol extends LinearSymbol {
  /** Width of a module, in pixels. */
  module: number;
  /** The area that the code covers, including quiet zones and text. */
  covered: Area;
}

/** Draws the widest symbol that fits, over the whole height of the area. */
export function drawLinear(
  target: Framebuffer,
  element: LinearCodeElement,
  value: string,
  { dark, light }: CodeColors,
): DrawnCode {
  const symbol = place(element, value);
  const { covered } = symbol;
  fillRectangle(target, covered.x, covered.y, covered.width, covered.height, light);
  if (element.guardBars && drawGuarded(target, element, symbol, dark)) return { covered, warnings: [] };
  return { covered, warnings: drawPlain(target, element, symbol, dark) };
}

function place(element: LinearCodeElement, value: string): PlacedSymbol {
  const { kind, x, y, width, height, smallestModule = MIN_MODULE, align = "center" } = element;
  const symbol = linearSymbol(kind, value);
  const { modules } = symbol;
  const text = shortened(value);
  const module = Math.floor(width / modules);
  if (module < smallestModule) {
    throw new CodeError(notice("CODE_NO_WIDTH", { text, needed: modules * smallestModule, has: width }));
  }
  if (height < MIN_BARS) throw new CodeError(notice("CODE_NO_HEIGHT", { text, needed: MIN_BARS, has: height }));
  const left = x + Math.floor(offsetOf(align, width, modules * module));
  return { ...symbol, module, covered: { x: left, y, width: modules * module, height } };
}

/** Draws the bars, and the text below them if it is requested and fits. Returns the warnings about the text. */
function drawPlain(
  target: Framebuffer,
  { text = true, textSize }: LinearCodeElement,
  symbol: PlacedSymbol,
  dark: number,
): DrawingNotice[] {
  const { text: shown, covered } = symbol;
  const size = text ? textSizeFor(shown, covered, textSize) : 0;
  const reach = reachOf(TEXT_FACE, shown);
  const [above, below] = [Math.ceil(reach.top * size), Math.ceil(reach.bottom * size)];
  const barHeight = size > 0 ? covered.height - Math.max(size, above + below + 1) - 1 : covered.height;
  drawBars(target, symbol, barHeight, dark);
  if (size === 0) return [];
  const wide = widthOf(TEXT_FACE, shown) * size + shown.length - 1;
  const spacing = size < MIN_UNSPACED_SIZE && wide <= covered.width ? 1 : 0;
  const left = covered.x + (covered.width - (spacing ? wide : widthOf(TEXT_FACE, shown) * size)) / 2;
  // The bottom of the text's ink is on the lower edge, so descenders raise the baseline.
  const baseline = covered.y + covered.height - 1 - below;
  drawCharacters(target, { face: TEXT_FACE, size, text: shown, left, baseline, spacing }, dark, newInk());
  return size < PLAIN ? [notice("CODE_TEXT_SMALL", { text: shortened(shown), size, least: PLAIN })] : [];
}

/** Returns the size of the text below the bars, in pixels. 0 if it does not fit. */
function textSizeFor(shown: string, { width, height }: Area, wanted: number | undefined): number {
  const size = wanted ?? Math.min(MAX_TEXT_SIZE, Math.max(MIN_TEXT_SIZE, Math.floor(height * TEXT_PART)));
  const fits = height - size >= Math.max(MIN_BARS_WITH_TEXT, height / 2) && widthOf(TEXT_FACE, shown) * size <= width;
  return fits ? size : 0;
}

/** Draws the first row of the bars, and repeats it over the whole height. */
function drawBars(target: Framebuffer, { bars, module, covered }: PlacedSymbol, height: number, dark: number) {
  for (let at = 0; at < bars.length; at += 2) {
    const [from, to] = [bars[at] as number, bars[at + 1] as number];
    fillRectangle(target, covered.x + from * module, covered.y, (to - from) * module, 1, dark);
  }
  repeatRow(target, { ...covered, height });
}

/**
 * Draws an EAN or UPC in its usual form: the digits in groups below their bars, between guard bars that extend down by half the
 * digits' height. Returns false, and draws nothing, if the digits do not fit.
 */
function drawGuarded(
  target: Framebuffer,
  { text = true, textSize }: LinearCodeElement,
  symbol: PlacedSymbol,
  dark: number,
): boolean {
  const { text: digits, bars, module, covered } = symbol;
  const { columns, guards } = guardedDigits(digits.length as 8 | 12 | 13);
  const column = DIGIT_MODULES * module;
  const widest = Math.floor((column - 1) / widthOf(TEXT_FACE, "0"));
  const usual = Math.min(MAX_TEXT_SIZE, Math.max(MIN_DIGIT_SIZE, Math.floor(covered.height * TEXT_PART)));
  // Scanners read the middle, so the bars must be there.
  const { top } = reachOf(TEXT_FACE, "0123456789");
  const highest = Math.floor((covered.height / 2 - 2) / top);
  const size = Math.min(widest, highest, textSize ?? usual);
  const digitHeight = Math.ceil(top * size);
  const barHeight = covered.height - digitHeight - 2;
  if (!text || size < MIN_DIGIT_SIZE || barHeight < MIN_BARS_WITH_TEXT) return false;

  drawBars(target, symbol, barHeight, dark);
  const start = bars[0] as number;
  for (let at = 0; at < bars.length; at += 2) {
    const [from, to] = [bars[at] as number, bars[at + 1] as number];
    const isGuard = guards.some(([first, end]) => from - start >= first && to - start <= end);
    const left = covered.x + from * module;
    if (isGuard)
      fillRectangle(target, left, covered.y, (to - from) * module, barHeight + Math.ceil(digitHeight / 2) + 1, dark);
  }
  for (const [index, digit] of [...digits].entries()) {
    const middle = (column - widthOf(TEXT_FACE, digit) * size) / 2;
    const left = covered.x + (start + (columns[index] as number)) * module + middle;
    const characters = { face: TEXT_FACE, size, text: digit, left, baseline: covered.y + covered.height - 1 } as const;
    drawCharacters(target, characters, dark, newInk());
  }
  return true;
}
