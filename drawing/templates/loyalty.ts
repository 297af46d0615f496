import type { LayoutElement } from "../../schemas/canvas.ts";
import type { Area } from "../pixels/framebuffer.ts";
import {
  type Face,
  grownSizeFor,
  heightOf,
  inWidth,
  LEGAL,
  pixelsOf,
  priceOf,
  sizeFor,
  textOf,
  unitPriceLine,
} from "./face.ts";
import { cornerOf, offerColor, shelf } from "./shelf.ts";

/** Lays out a price for members next to the price for everybody, each with its unit price. */
export function loyalty(face: Face): LayoutElement[] | undefined {
  const size = rowSize(face);
  if (size === undefined) return undefined;
  const line = {
    ...unitPriceLine(face),
    text: "${unitPrice(item.loyaltyPrice, item.quantity)}",
    visible: "has(item.quantity) && has(item.loyaltyPrice)",
  };
  return shelf(face, {
    lines: [line],
    corner: { ...cornerOf(face.words.withCard), width: 18 },
    least: heightOf(size) + 3 + pixelsOf(face, 8),
    prices: (area, left) => memberPrices(face, size, area, left),
  });
}

/** Returns the price for everybody with its unit price in one row, and the price for members below it, as large as possible. */
function memberPrices(face: Face, size: number, { x, y, width, height }: Area, left: number): LayoutElement[] {
  const row = { x: left, y, width: x + width - left };
  const caption = { text: face.words.withoutCard, size: Math.max(12, Math.min(size, grownSizeFor(face, 1.8))) };
  const share = Math.floor(row.width * CAPTION_SHARE);
  const beside = { ...row, x: row.x + share, width: row.width - share };
  const top = y + heightOf(size) + 3;
  return [
    textOf(caption, { ...row, width: share - 2 }),
    { ...textOf({ text: everybodysPrice, size, more: { whole: true, minimumSize: size } }, beside), align: "right" },
    { kind: "line", ...row, y: top - 3, height: 1, color: "black" },
    priceOf({ x, y: top, width, height: y + height - top }, { value: "${item.loyaltyPrice}", ...offerColor }),
  ];
}

/** Shares of the width: of the row within the margins, and of its caption. */
const [ROW_SHARE, CAPTION_SHARE] = [0.95, 0.26];
const everybodysPrice =
  '${price(item.price)}${has(item.unitPrice) && has(item.quantity) ? "   " + unitPrice(item.price, item.quantity, item.unitPrice) : ""}';

/**
 * Returns the largest size for the row with the price for everybody. Undefined if the row does not fit even at its smallest size.
 */
function rowSize(face: Face): number | undefined {
  const sample = `${face.words.longestPrice}   ${face.words.longestUnitPrice}`;
  const room = Math.floor(face.width * (ROW_SHARE - CAPTION_SHARE));
  const least = sizeFor(face, LEGAL.unitPrice);
  let size = grownSizeFor(face, LEGAL.unitPrice);
  while (size > least && !inWidth({ text: "", sample, size }, room)) size -= 1;
  return inWidth({ text: "", sample, size }, room) && size;
}
