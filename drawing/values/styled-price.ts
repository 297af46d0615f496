import { decimalText, productText } from "../../domain/expression/decimal.ts";
import type { PriceElement } from "../../schemas/canvas-texts.ts";
import { type DrawingNotice, notice } from "../../schemas/drawing-notice.ts";
import { shortened } from "../text/shortened.ts";
import { currencyDecimals, type PriceParts, priceParts, priceText } from "./format-price.ts";

/** Replaces decimals that are all zero: `12.–`. */
export const DASH = "–";

/** Groups thousands if the locale's grouping sign is the design's decimal separator: `1.234.50` could be any price. */
const GROUP = "\u202f";

/** The settings of a price element that decide how its number is written. */
export type PriceStyle = Pick<
  PriceElement,
  | "currency"
  | "currencyCode"
  | "currencyPosition"
  | "decimals"
  | "locale"
  | "second"
  | "separator"
  | "suffix"
  | "zeroDecimals"
>;

export interface StyledPrice {
  parts: PriceParts;
  /** The amount in the second currency, on one line. */
  second?: string;
  warnings: DrawingNotice[];
}

/**
 * Formats a price by the settings of its element and its store. A currency whose sign `canShow` rejects is shown by its code,
 * so that the number never appears without its currency.
 */
export function styledPrice(
  price: string,
  style: PriceStyle,
  store: { locale: string; currency: string },
  canShow: (sign: string) => boolean = () => true,
): StyledPrice {
  const { locale = store.locale, currencyCode = store.currency, currency = "symbol", decimals, second } = style;
  const bySign = priceParts(price, locale, currencyCode, "symbol", decimals);
  if (bySign.isVerbatim) return { parts: bySign, warnings: [notice("PRICE_NOT_A_NUMBER", { text: shortened(price) })] };
  const isSign = currency === "none" || (currency === "symbol" && canShow(bySign.before + bySign.after));
  const written = isSign ? bySign : priceParts(price, locale, currencyCode, "code", decimals);
  return {
    parts: withSuffix(withCurrency(withSeparator(withZeros(written, style), style), style), style),
    ...(second && { second: amountIn(second, price, locale, canShow) }),
    warnings: [...(decimals === undefined ? [] : roundingOf(price, decimals)), ...notAboveZero(price)],
  };
}

const withZeros = (parts: PriceParts, { zeroDecimals = "show" }: PriceStyle): PriceParts => {
  if (zeroDecimals === "show" || !/^0+$/.test(parts.decimals)) return parts;
  return zeroDecimals === "dash" ? { ...parts, decimals: DASH } : { ...parts, separator: "", decimals: "" };
};

/** A dash keeps its separator: `12–` would be the beginning of a range. A sign has only one meaning in a price. */
const withSeparator = (parts: PriceParts, { separator }: PriceStyle): PriceParts => {
  if (separator === undefined || parts.separator === "") return parts;
  if (separator !== "none") return { ...parts, separator, integer: parts.integer.replaceAll(separator, GROUP) };
  return parts.decimals === DASH ? parts : { ...parts, separator: "", omittedSeparator: parts.separator };
};

function withCurrency(parts: PriceParts, { currency, currencyPosition }: PriceStyle): PriceParts {
  const sign = parts.before + parts.after;
  if (currency === "none") return { ...parts, before: "", after: "" };
  if (currencyPosition === undefined) return parts;
  return currencyPosition === "before" ? { ...parts, before: sign, after: "" } : { ...parts, before: "", after: sign };
}

const withSuffix = (parts: PriceParts, { suffix = "" }: PriceStyle): PriceParts => ({
  ...parts,
  after: parts.after + suffix,
});

function amountIn(
  { currencyCode, rate }: NonNullable<PriceStyle["second"]>,
  price: string,
  locale: string,
  canShow: (sign: string) => boolean,
): string {
  const amount = decimalText(productText(price, rate), currencyDecimals(currencyCode));
  const text = priceText(amount, locale, currencyCode);
  return canShow(text) ? text : priceText(amount, locale, currencyCode, undefined, "code");
}

/** Returns a warning about a price that is not above zero: it is a mistake, or stands for a missing price. */
const notAboveZero = (price: string): DrawingNotice[] =>
  Number(price) > 0 ? [] : [notice("PRICE_NOT_ABOVE_ZERO", { text: shortened(price) })];

/** Returns a warning if a price is shown as a different number. */
function roundingOf(price: string, decimals: number): DrawingNotice[] {
  const [exact, shown] = [decimalText(price), decimalText(price, decimals)];
  return exact === shown ? [] : [notice("PRICE_ROUNDED", { text: price, shown, decimals })];
}
