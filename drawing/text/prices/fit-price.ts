import type { PriceElement } from "../../../schemas/canvas-texts.ts";
import { notice } from "../../../schemas/drawing-notice.ts";
import { settingOf } from "../../shaping/setting.ts";
import { type StyledPrice, styledPrice } from "../../values/styled-price.ts";
import { MIN_TEXT_SIZE, tidy } from "../draw-text.ts";
import { DrawingError } from "../drawing-error.ts";
import { shortened } from "../shortened.ts";
import {
  type InkBox,
  inkBoxOf,
  layOutPrice,
  type PriceLayout,
  type PriceLook,
  type Stamp,
  stampPrice,
} from "./price-layout.ts";

/** A price at the size at which it fits into its area. */
export interface FittedPrice extends StyledPrice {
  layout: PriceLayout;
  /** Relative to the left end of the baseline, in pixels. */
  stamps: readonly Stamp[];
  box: InkBox;
  /** Space that the price needs above and below the baseline, in pixels. */
  above: number;
  below: number;
}

const DECIMALS_PERCENT = 50;
/** For a price that is struck through, because a line through small digits makes them look like different digits. */
const STRUCK_DECIMALS_PERCENT = 100;
const SECOND_PERCENT = 40;

/**
 * Finds the largest size at which all ink of a price is inside the area. The decimals of a struck-through price are as large as
 * its integer, unless its design says otherwise or the price would not fit. Throws DrawingError if no size fits.
 */
export function fitPrice(
  price: string,
  element: PriceElement,
  store: { locale: string; currency: string },
): FittedPrice {
  const { struck, decimalsPercent, width, height } = element;
  const fitWith = (percent: number) => fitWithDecimals(price, element, store, percent);
  const full = struck && decimalsPercent === undefined ? fitWith(STRUCK_DECIMALS_PERCENT) : undefined;
  if (typeof full === "object") return full;
  const fitted = fitWith(decimalsPercent ?? DECIMALS_PERCENT);
  if (typeof fitted === "object") return fitted;
  throw new DrawingError(notice("PRICE_NO_ROOM", { text: shortened(price), width, height, size: fitted }));
}

/** Fits a price with its decimals at the given percentage. If it does not fit, returns the smallest size that was tried. */
function fitWithDecimals(
  price: string,
  element: PriceElement,
  store: { locale: string; currency: string },
  decimalsPercent: number,
): FittedPrice | number {
  const { font, width, height, locale = store.locale } = element;
  const canShow = (sign: string): boolean => settingOf(font, sign, locale).warnings().length === 0;
  const { suffix, ...style } = element;
  const styled = styledPrice(price, suffix ? { ...style, suffix: tidyPrice(suffix) } : style, store, canShow);
  const { before, integer, separator, decimals, after } = styled.parts;
  const shown = before + integer + separator + decimals + after + (styled.second ?? "");
  const readable = settingOf(font, shown, locale).readable();
  const minimumSize = Math.max(element.minimumSize ?? MIN_TEXT_SIZE, readable);
  const look: PriceLook = {
    font,
    locale,
    decimals: decimalsPercent / 100,
    currency: (element.currencyPercent ?? decimalsPercent) / 100,
    minimumSize: readable,
    currencyPlace: element.currencyPlace,
    ...(styled.second !== undefined && { second: secondLook(styled.second, element) }),
  };
  for (let size = Math.max(element.size, readable); ; size -= 1) {
    const layout = layOutPrice(styled.parts, size, look);
    if (layout.width <= width && layout.above + layout.below <= height) {
      // Rounding may make the ink a pixel larger than the layout says, so the ink is checked too.
      const stamps = stampPrice(layout);
      const box = inkBoxOf(stamps);
      const [above, below] = [Math.max(layout.above, -box.top), Math.max(layout.below, box.bottom)];
      if (box.right - box.left <= width && above + below <= height)
        return { ...styled, layout, stamps, box, above, below };
    }
    if (size <= minimumSize) return size;
  }
}

const secondLook = (text: string, { second, align }: PriceElement): PriceLook["second"] & {} => ({
  text,
  size: (second?.percent ?? SECOND_PERCENT) / 100,
  position: second?.position ?? "below",
  align,
});

/** Returns a price on one line. */
export const tidyPrice = (sent: string): string => tidy(sent).replaceAll("\n", " ");
