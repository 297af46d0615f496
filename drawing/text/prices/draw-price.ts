import type { PriceElement } from "../../../schemas/canvas-texts.ts";
import { type DrawingNotice, notice } from "../../../schemas/drawing-notice.ts";
import { type Area, drawRuns, type Framebuffer } from "../../pixels/framebuffer.ts";
import { colorIndex } from "../../pixels/nearest-color.ts";
import { settingOf } from "../../shaping/setting.ts";
import {
  type Inked,
  inkAreaOf,
  isHidden,
  isStillShown,
  type LetterColors,
  moveInside,
  newInk,
  shownInk,
} from "../draw-characters.ts";
import { DrawingError } from "../drawing-error.ts";
import { offsetOf } from "../offset.ts";
import { shortened } from "../shortened.ts";
import { type FittedPrice, fitPrice, tidyPrice } from "./fit-price.ts";
import type { PriceLayout, Stamp } from "./price-layout.ts";
import { strikePrice, tooSmallToStrike } from "./strike.ts";

/** The result of drawing a price. */
export interface DrawnPrice {
  warnings: DrawingNotice[];
  /** Size of the price's integer, in pixels. */
  size: number;
  /** The position of the price's digits. */
  digits: Area;
  /** Whether all ink of the price is still visible. A later element may cover it. */
  isWhole(): boolean;
}

/**
 * Draws a price: the integer in full size, the decimals raised, the currency below them. The size is reduced until the price
 * fits. `drawBehind` is called with the price's area before it is drawn. `known` is the fitted price, if the price was fitted
 * before. Throws DrawingError if the price does not fit at the minimum size or would not be visible.
 */
export function drawPrice(
  target: Framebuffer,
  element: PriceElement,
  sent: string,
  store: { locale: string; currency: string },
  { color, paper }: LetterColors,
  drawBehind?: (area: Area) => void,
  known?: FittedPrice,
): DrawnPrice {
  const price = tidyPrice(sent);
  const fitted = known ?? fitPrice(price, element, store);
  const { layout, above, below, box } = fitted;
  const { left, baseline } = placeOf(fitted, element, target);
  drawBehind?.({ x: left + box.left, y: baseline - above, width: box.right - box.left, height: above + below });
  const ink = newInk();
  const stamps = fitted.stamps.map((stamp) => ({ ...stamp, x: left + stamp.x, y: baseline + stamp.y }));
  const { struck, struckColor, x, width } = element;
  const line = struckColor === undefined ? color : colorIndex(struckColor, target.palette);
  const strikeIt = (parting?: number) =>
    struck && strikePrice(target, stamps, { struck, color: line, paper: parting, min: x, max: x + width });
  // A line of another colour is drawn under the digits, so that each digit is legible.
  if (line !== color) strikeIt();
  for (const stamp of stamps) drawRuns(target, stamp.glyph.runs, stamp.x, stamp.y, color, ink);
  if (isHidden(ink)) {
    throw new DrawingError(notice("PRICE_UNSEEN", { text: shortened(price) }));
  }
  if (line === color) strikeIt(paper);
  const isParted = struck && line === color;
  const all = inkedOf(stamps, color);
  const inked = isParted ? shownInk(target, all) : all;
  return {
    warnings: [
      ...warningsOf(fitted, element, store),
      ...(isParted ? tooSmallToStrike(price, smallestDigits(layout), element.font) : []),
      ...(element.size < layout.size
        ? [notice("PRICE_ENLARGED", { text: shortened(price), size: layout.size, asked: element.size })]
        : []),
    ],
    size: layout.size,
    digits: inkAreaOf(inkedOf(stamps.filter(isOfDigits), color)),
    isWhole: () => isStillShown(target, inked),
  };
}

/** Returns the left end and the baseline of a price in its area, so that all of its ink is inside. */
function placeOf({ layout, above, below, box }: FittedPrice, element: PriceElement, target: Framebuffer) {
  const { x, y, width, height, align, verticalAlign } = element;
  const begin = Math.round(x + offsetOf(align, width, layout.width));
  const left = begin + moveInside(begin + box.left, begin + box.right, x, x + width);
  const baseline =
    verticalAlign === "baseline"
      ? Math.min(y + height, target.height - below)
      : y + Math.round(offsetOf(verticalAlign, height, above + below)) + above;
  return { left, baseline };
}

/** Returns the warnings about the price's style and its font. */
const warningsOf = (
  { warnings, layout }: FittedPrice,
  { font, locale }: PriceElement,
  store: { locale: string },
): DrawingNotice[] => [
  ...warnings,
  ...settingOf(font, layout.pieces.map(({ text }) => text).join(""), locale ?? store.locale).warnings(),
];

const inkedOf = (stamps: readonly Stamp[], color: number): Inked[] =>
  stamps.map(({ glyph: { runs }, x, y }) => ({ runs, x, y, color }));

const isOfDigits = ({ part }: Stamp): boolean => part === "integer" || part === "decimals";

const smallestDigits = ({ pieces }: PriceLayout): number =>
  Math.min(...pieces.filter(({ part }) => part !== "currency").map(({ size }) => size));
