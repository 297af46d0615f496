import type { LinearCodeElement, MatrixCodeElement } from "../../../schemas/canvas.ts";
import { type Area, type Framebuffer, fillRectangle, repeatRow } from "../pixels/framebuffer.ts";
import { drawCharacters, newInk } from "../text/draw-characters.ts";
import { reachOf, widthOf } from "../text/fonts.ts";
import { CodeError } from "./code-error.ts";
import { linearSymbol, matrixSymbol } from "./codes.ts";

/** In pixels: labels have coarse dots, and narrower modules do not scan reliably. */
const MIN_MODULE = 2;
const MIN_BARS = 10;
/** Bars that are lower than this have no text. */
const MIN_BARS_WITH_TEXT = 20;
const TEXT_FACE = "regular";
const MIN_TEXT_SIZE = 10;
const MAX_TEXT_SIZE = 24;
const TEXT_PART = 1 / 5;

export type CodeElement = LinearCodeElement | MatrixCodeElement;

/** Draws a code; gives the area that it covers, quiet zones included. Throws CodeError where it cannot be drawn. */
export function drawCode(target: Framebuffer, element: CodeElement, value: string): Area {
  const colors = { dark: target.palette.indexOf("black"), light: target.palette.indexOf("white") };
  if (colors.dark < 0 || colors.light < 0) throw new CodeError("needs black and white, and the label has not both");
  return isMatrix(element) ? drawMatrix(target, element, value, colors) : drawLinear(target, element, value, colors);
}

const isMatrix = (element: CodeElement): element is MatrixCodeElement =>
  element.kind === "qr" || element.kind === "gs1-datamatrix";

interface CodeColors {
  dark: number;
  light: number;
}

/** Draws the widest symbol that fits, in the middle of the area, over its whole height. */
function drawLinear(
  target: Framebuffer,
  { kind, x, y, width, height, smallestModule = MIN_MODULE, text = true }: LinearCodeElement,
  value: string,
  { dark, light }: CodeColors,
): Area {
  const { bars, modules } = linearSymbol(kind, value);
  const module = Math.floor(width / modules);
  if (module < smallestModule) {
    throw new CodeError(`needs ${modules * smallestModule} pixels of width, but has ${width}`);
  }
  if (height < MIN_BARS) throw new CodeError(`needs ${MIN_BARS} pixels of height, but has ${height}`);
  const covered = { x: x + Math.floor((width - modules * module) / 2), y, width: modules * module, height };
  const size = text ? textSizeFor(value, covered) : 0;
  const reach = reachOf(TEXT_FACE, value);
  const [above, below] = [Math.ceil(reach.top * size), Math.ceil(reach.bottom * size)];
  const barHeight = size > 0 ? height - Math.max(size, above + below + 1) - 1 : height;
  fillRectangle(target, covered.x, y, covered.width, height, light);
  for (let at = 0; at < bars.length; at += 2) {
    const [from, to] = [bars[at] as number, bars[at + 1] as number];
    fillRectangle(target, covered.x + from * module, y, (to - from) * module, 1, dark);
  }
  repeatRow(target, { ...covered, height: barHeight });
  if (size > 0) {
    const left = covered.x + (covered.width - widthOf(TEXT_FACE, value) * size) / 2;
    // The lowest ink of the text is on the lower edge, so descenders lift the baseline.
    const baseline = y + height - 1 - below;
    drawCharacters(target, { face: TEXT_FACE, size, text: value, left, baseline }, dark, newInk());
  }
  return covered;
}

/** Size of the text below the bars in pixels; 0 where there is no room for it. */
function textSizeFor(value: string, { width, height }: Area): number {
  const size = Math.min(MAX_TEXT_SIZE, Math.max(MIN_TEXT_SIZE, Math.floor(height * TEXT_PART)));
  const fits = height - size >= MIN_BARS_WITH_TEXT && widthOf(TEXT_FACE, value) * size <= width;
  return fits ? size : 0;
}

/** Draws the largest symbol that fits, in the middle of the area. */
function drawMatrix(
  target: Framebuffer,
  { kind, x, y, width, height, smallestModule = MIN_MODULE, errorCorrection = "M" }: MatrixCodeElement,
  value: string,
  { dark, light }: CodeColors,
): Area {
  const symbol = matrixSymbol(kind, value, errorCorrection);
  const { columns, rows } = symbol;
  const module = Math.min(Math.floor(width / columns), Math.floor(height / rows));
  if (module < smallestModule) {
    const [needed, has] = [`${columns * smallestModule} x ${rows * smallestModule}`, `${width} x ${height}`];
    throw new CodeError(`needs ${needed} pixels, but has ${has}`);
  }
  const covered = {
    x: x + Math.floor((width - columns * module) / 2),
    y: y + Math.floor((height - rows * module) / 2),
    width: columns * module,
    height: rows * module,
  };
  fillRectangle(target, covered.x, covered.y, covered.width, covered.height, light);
  for (let at = 0; at < symbol.dark.length; at += 3) {
    const [row, from, to] = [symbol.dark[at] as number, symbol.dark[at + 1] as number, symbol.dark[at + 2] as number];
    fillRectangle(target, covered.x + from * module, covered.y + row * module, (to - from) * module, 1, dark);
  }
  for (let row = 0; row < rows; row += 1) {
    repeatRow(target, { ...covered, y: covered.y + row * module, height: module });
  }
  return covered;
}
