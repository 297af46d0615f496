import type { PriceParts } from "../values/price-parts.ts";
import { eachStamp } from "./draw-characters.ts";
import { type Face, reachOf, widthOf } from "./fonts.ts";
import type { Glyph } from "./glyphs.ts";

/** A part of a price; positions are in pixels from the left end of the price's baseline. */
export interface Piece {
  text: string;
  /** Start of its pen. */
  at: number;
  size: number;
  /** Height of its baseline above the integer's. */
  rise: number;
}

export interface PriceLayout {
  size: number;
  pieces: readonly Piece[];
  width: number;
  /** Space that it needs above and below the integer's baseline, in pixels. */
  above: number;
  below: number;
}

/** A glyph and the position of its origin. */
export interface Stamp {
  glyph: Glyph;
  x: number;
  y: number;
}

/** First column and row, last column + 1 and row + 1; the box always contains the left end of the baseline. */
export interface InkBox {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export interface PriceLook {
  font: Face;
  /** Sizes of the decimals and of the currency, as fractions of the integer's size. */
  decimals: number;
  currency: number;
  /** Decimals and currency are not smaller than this, unless the integer is. */
  minimumSize: number;
}

/** Height of a digit, and descent of a comma below the baseline, in em: the minimum that a price needs. */
const DIGIT = 0.745;
const COMMA = 0.15;

/**
 * Lays a price out at a size: the integer in full size, the decimals raised beside it. The currency is below the
 * decimals where there is room, else after them, or before the integer where the locale puts it there.
 */
export function layOutPrice(parts: PriceParts, size: number, look: PriceLook): PriceLayout {
  const small = (part: number): number => Math.max(Math.min(size, look.minimumSize), Math.round(size * part));
  const [decimals, currency] = [small(look.decimals), small(look.currency)];
  const raised = (own: number): number => heightOf(size) - heightOf(own);
  const gap = Math.ceil(size / 12);
  const pieces: Piece[] = [];
  let at = 0;
  const add = (text: string, own: number, rise: number): number => {
    if (text !== "") pieces.push({ text, at, size: own, rise });
    return widthOf(look.font, text) * own;
  };
  if (parts.before !== "") at += add(parts.before, currency, raised(currency)) + gap;
  at += add(parts.integer, size, 0);
  at += add(parts.separator, size, 0);
  const hasRoomBelow = parts.decimals !== "" && parts.after !== "" && raised(decimals) > heightOf(currency);
  if (hasRoomBelow) {
    at += Math.max(add(parts.decimals, decimals, raised(decimals)), add(parts.after, currency, 0));
  } else {
    at += add(parts.decimals, decimals, raised(decimals));
    if (parts.after !== "") at += gap;
    at += add(parts.after, currency, 0);
  }
  return { size, pieces, width: at, ...reachOfPieces(pieces, look.font, size) };
}

/** The glyphs of a price, relative to the left end of its baseline. */
export function stampPrice({ pieces }: PriceLayout, face: Face): Stamp[] {
  const stamps: Stamp[] = [];
  for (const { text, at: left, size, rise } of pieces) {
    eachStamp({ face, size, text, left, baseline: -rise }, (glyph, x, y) => stamps.push({ glyph, x, y }));
  }
  return stamps;
}

/** The bounding box of the ink of stamps. */
export function inkBoxOf(stamps: readonly Stamp[]): InkBox {
  const box = { left: 0, top: 0, right: 0, bottom: 0 };
  for (const { glyph, x, y } of stamps) {
    box.left = Math.min(box.left, x + glyph.left);
    box.top = Math.min(box.top, y + glyph.top);
    box.right = Math.max(box.right, x + glyph.right);
    box.bottom = Math.max(box.bottom, y + glyph.bottom);
  }
  return box;
}

const heightOf = (size: number): number => Math.ceil(size * DIGIT);

/** Space above and below the baseline: currency signs and texts that are no numbers may need more than digits. */
function reachOfPieces(pieces: readonly Piece[], font: Face, size: number): { above: number; below: number } {
  let above = heightOf(size);
  let below = Math.ceil(size * COMMA);
  for (const { text, size: own, rise } of pieces) {
    const { top, bottom } = reachOf(font, text);
    above = Math.max(above, Math.ceil(top * own) + rise);
    below = Math.max(below, Math.ceil(bottom * own) - rise);
  }
  return { above, below };
}
