import type { PriceElement, TextElement } from "../../schemas/canvas.ts";
import { fitText, lineHeightOf } from "./fit-text.ts";
import { advanceOf, type Face, heightsOf, inkOf, missingIn, widthOf } from "./fonts.ts";
import { drawLine, drawRuns, type Framebuffer } from "./framebuffer.ts";
import { type PriceParts, priceParts } from "./price-parts.ts";

/** Thrown where an element must not be drawn: the label would lie. */
export class DrawingError extends Error {
  override readonly name = "DrawingError";
}

const SMALLEST_TEXT = 8;
const DECIMALS_PERCENT = 50;

/** Draws a text in its area; gives back warnings. */
export function drawText(target: Framebuffer, element: TextElement, text: string, color: number): string[] {
  const { font, x, y, width, height, size, minimumSize = Math.min(size, SMALLEST_TEXT), lines = 1 } = element;
  const fitted = fitText(text, { width, height, size, minimumSize, lines }, (part) => widthOf(font, part));
  const lineHeight = lineHeightOf(fitted.size);
  const { ascent, descent } = heightsOf(font);
  const block = (fitted.lines.length - 1) * lineHeight + (ascent + descent) * fitted.size;
  const top = y + offsetOf(element.verticalAlign, height, block) + ascent * fitted.size;
  for (const [place, line] of fitted.lines.entries()) {
    const left = x + offsetOf(element.align, width, widthOf(font, line) * fitted.size);
    drawCharacters(target, font, fitted.size, line, left, Math.round(top + place * lineHeight), color);
  }
  const warnings = missingCharacters(font, text);
  return fitted.isCut ? [...warnings, `"${text}" is cut: it does not fit at ${fitted.size} pixels`] : warnings;
}

/**
 * Draws a price: the integer in full size, decimals raised, the currency below them. It shrinks to fit; at the
 * minimum it fits or nothing is drawn. Throws DrawingError.
 */
export function drawPrice(
  target: Framebuffer,
  element: PriceElement,
  price: string,
  store: { locale: string; currency: string },
  color: number,
): string[] {
  const { font, x, y, width, height, minimumSize = SMALLEST_TEXT } = element;
  const parts = priceParts(price, store.locale, store.currency);
  const percent = (element.decimalsPercent ?? DECIMALS_PERCENT) / 100;
  let size = element.size;
  while (size > minimumSize && !fits(size)) size -= 1;
  if (!fits(size)) throw new DrawingError(`the price "${price}" does not fit ${width} x ${height} at ${size} pixels`);

  const layout = layOutPrice(parts, font, size, percent);
  const left = Math.round(x + offsetOf(element.align, width, layout.width));
  const baseline = Math.round(y + offsetOf(element.verticalAlign, height, heightOf(size)) + capHeight(size));
  for (const { text, at, size: own, rise } of layout.pieces)
    drawCharacters(target, font, own, text, left + at, baseline - rise, color);
  if (element.struck) {
    const middle = baseline - Math.round(capHeight(size) / 2);
    drawLine(
      target,
      [left, middle],
      [left + Math.ceil(layout.width), middle],
      Math.max(2, Math.round(size / 16)),
      color,
    );
  }
  const warnings = missingCharacters(font, layout.pieces.map(({ text }) => text).join(""));
  return parts.isVerbatim ? [...warnings, `the price "${price}" is no number: it is shown as it was sent`] : warnings;

  function fits(at: number): boolean {
    return layOutPrice(parts, font, at, percent).width <= width && heightOf(at) <= height;
  }
}

/** Height of a digit: what a price needs above its baseline. */
const capHeight = (size: number): number => Math.ceil(size * 0.73);

/** A price with its comma, which hangs below the baseline. */
const heightOf = (size: number): number => capHeight(size) + Math.ceil(size * 0.15);

interface Piece {
  text: string;
  /** Where it begins, from the left end. */
  at: number;
  size: number;
  /** How far its baseline is above the integer's. */
  rise: number;
}

function layOutPrice(parts: PriceParts, font: Face, size: number, percent: number): { pieces: Piece[]; width: number } {
  const small = Math.max(Math.min(size, SMALLEST_TEXT), Math.round(size * percent));
  const raised = capHeight(size) - capHeight(small);
  const gap = Math.ceil(size / 12);
  const pieces: Piece[] = [];
  let at = 0;
  const add = (text: string, own: number, rise: number): number => {
    if (text !== "") pieces.push({ text, at, size: own, rise });
    return widthOf(font, text) * own;
  };
  if (parts.before !== "") at += add(parts.before, small, raised) + gap;
  at += add(parts.integer, size, 0);
  at += add(parts.separator, size, 0);
  const hasRoomBelow = parts.decimals !== "" && raised > capHeight(small);
  if (hasRoomBelow)
    return { pieces, width: at + Math.max(add(parts.decimals, small, raised), add(parts.behind, small, 0)) };
  at += add(parts.decimals, small, raised);
  if (parts.behind !== "") at += gap;
  return { pieces, width: at + add(parts.behind, small, 0) };
}

/** Where something of `extent` begins in `room`. */
function offsetOf(
  align: "left" | "top" | "center" | "middle" | "right" | "bottom" | undefined,
  room: number,
  extent: number,
): number {
  if (align === "center" || align === "middle") return (room - extent) / 2;
  return align === "right" || align === "bottom" ? room - extent : 0;
}

function drawCharacters(
  target: Framebuffer,
  face: Face,
  size: number,
  text: string,
  left: number,
  baseline: number,
  color: number,
): void {
  const ink = inkOf(face, size);
  let pen = left;
  for (const character of text) {
    drawRuns(target, ink(character), Math.round(pen), baseline, color);
    pen += advanceOf(face, character) * size;
  }
}

function missingCharacters(face: Face, text: string): string[] {
  const missing = missingIn(face, text);
  return missing.length > 0 ? [`the font has no ${missing.map((one) => `"${one}"`).join(", ")}`] : [];
}
