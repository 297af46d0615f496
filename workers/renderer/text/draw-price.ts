import type { PriceElement } from "../../../schemas/canvas.ts";
import { drawLine, drawRuns, type Framebuffer, showsRuns } from "../pixels/framebuffer.ts";
import { type PriceParts, priceParts } from "../values/price-parts.ts";
import { isHidden, moveInside, newInk } from "./draw-characters.ts";
import { MIN_TEXT_SIZE, missingCharacters, tidy } from "./draw-text.ts";
import { DrawingError } from "./drawing-error.ts";
import { missingIn } from "./fonts.ts";
import { offsetOf } from "./offset.ts";
import {
  type InkBox,
  inkBoxOf,
  layOutPrice,
  type PriceLayout,
  type PriceLook,
  type Stamp,
  stampPrice,
} from "./price-layout.ts";
import { quoted } from "./quoted.ts";

const DECIMALS_PERCENT = 50;

/** The result of drawing a price. */
export interface DrawnPrice {
  warnings: string[];
  /** Whether all of its ink is still visible: a later element may cover it. */
  isWhole(): boolean;
}

/**
 * Draws a price: the integer in full size, the decimals raised, the currency below them. The size is reduced until it
 * fits. Throws DrawingError where the price does not fit at the minimum size or would not be visible.
 */
export function drawPrice(
  target: Framebuffer,
  element: PriceElement,
  sent: string,
  store: { locale: string; currency: string },
  color: number,
): DrawnPrice {
  const price = tidy(sent).replaceAll("\n", " ");
  const { parts, layout, stamps: fitted, above, below, box } = fitPrice(price, element, store);
  const { x, y, width, height, font } = element;
  const begin = Math.round(x + offsetOf(element.align, width, layout.width));
  const left = begin + moveInside(begin + box.left, begin + box.right, x, x + width);
  const baseline = y + Math.round(offsetOf(element.verticalAlign, height, above + below)) + above;

  const ink = newInk();
  const stamps = fitted.map((stamp) => ({ glyph: stamp.glyph, x: left + stamp.x, y: baseline + stamp.y }));
  for (const stamp of stamps) drawRuns(target, stamp.glyph.runs, stamp.x, stamp.y, color, ink);
  if (isHidden(ink)) {
    throw new DrawingError(`the price ${quoted(price)} cannot be seen: it has the colour of what is behind it`);
  }
  if (element.struck) strike(target, layout, left + box.left, left + box.right, baseline, color);
  const warnings = missingCharacters(missingIn(font, layout.pieces.map(({ text }) => text).join("")));
  if (parts.isVerbatim) warnings.push(`the price ${quoted(price)} is no number: it is shown as it was sent`);
  return { warnings, isWhole: () => stamps.every(({ glyph, x, y }) => showsRuns(target, glyph.runs, x, y, color)) };
}

/**
 * The parts of a price. A currency whose sign the font lacks is shown by its code, so that the number never stands
 * without its currency.
 */
function partsOf(
  price: string,
  { font, currency = "symbol" }: PriceElement,
  store: { locale: string; currency: string },
): PriceParts {
  const bySign = priceParts(price, store.locale, store.currency);
  if (currency === "none") return { ...bySign, before: "", after: "" };
  const canShowSign = missingIn(font, bySign.before + bySign.after).length === 0;
  if (currency === "symbol" && canShowSign) return bySign;
  return priceParts(price, store.locale, store.currency, "code");
}

interface FittedPrice {
  parts: PriceParts;
  layout: PriceLayout;
  /** Relative to the left end of the baseline, in pixels. */
  stamps: readonly Stamp[];
  box: InkBox;
  /** Space that it needs above and below the baseline, in pixels. */
  above: number;
  below: number;
}

/** Finds the largest size at which all ink of a price is inside the area. Throws DrawingError where no size fits. */
export function fitPrice(
  price: string,
  element: PriceElement,
  store: { locale: string; currency: string },
): FittedPrice {
  const parts = partsOf(price, element, store);
  const { font, width, height, minimumSize = MIN_TEXT_SIZE, decimalsPercent = DECIMALS_PERCENT } = element;
  const look: PriceLook = {
    font,
    decimals: decimalsPercent / 100,
    currency: (element.currencyPercent ?? decimalsPercent) / 100,
    minimumSize: MIN_TEXT_SIZE,
  };
  for (let size = element.size; ; size -= 1) {
    const layout = layOutPrice(parts, size, look);
    if (layout.width <= width && layout.above + layout.below <= height) {
      // Rounding may make the ink a pixel larger than the layout says, so the ink is checked too.
      const stamps = stampPrice(layout, font);
      const box = inkBoxOf(stamps);
      const [above, below] = [Math.max(layout.above, -box.top), Math.max(layout.below, box.bottom)];
      if (box.right - box.left <= width && above + below <= height) return { parts, layout, stamps, box, above, below };
    }
    if (size <= minimumSize) {
      throw new DrawingError(`the price ${quoted(price)} does not fit ${width} x ${height} at ${size} pixels`);
    }
  }
}

/** Strikes a price through: a line at half the height of the digits, over all of the ink. */
function strike(
  target: Framebuffer,
  { above, size }: PriceLayout,
  from: number,
  to: number,
  baseline: number,
  color: number,
): void {
  const middle = baseline - Math.round(above / 2);
  drawLine(target, [from, middle], [to - 1, middle], Math.max(2, Math.round(size / 16)), color);
}
