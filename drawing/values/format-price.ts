import { LRUCache } from "lru-cache";
import { isNumber } from "../../domain/prices/price-number.ts";
import { narrowGroups } from "./format-number.ts";

/** The parts of a price, which are drawn in different sizes. */
export interface PriceParts {
  /** Currency sign or code before the number, if the locale or the design puts it there. */
  before: string;
  /** Sign, digits and grouping before the decimal separator. */
  integer: string;
  /** Decimal separator. Empty if there are no decimals, or if a design leaves it out. */
  separator: string;
  /** The separator that a design leaves out. It is shown after all if the decimals are not much smaller. */
  omittedSeparator?: string;
  decimals: string;
  /** Currency sign or code after the number, if the locale or the design puts it there, and the design's suffix. */
  after: string;
  /** Whether the text is not a number, and is shown as it was sent. */
  isVerbatim: boolean;
}

/** How a currency is written: as its sign (`€`) or its code (`EUR`). */
export type CurrencyDisplay = "symbol" | "code";

/** The maximum of Intl. A price of 32 characters has fewer. */
const MAX_DECIMALS = 100;
const MAX_FORMATS = 500;
/** Maximum size of each cache of prices, in bytes as estimated: enough for about twenty thousand usual prices. */
const MAX_CACHE_SIZE = 4_000_000;
const ENTRY_OVERHEAD = 150;
const bySize = {
  maxSize: MAX_CACHE_SIZE,
  sizeCalculation: (_: unknown, key: string) => ENTRY_OVERHEAD + 2 * key.length,
};
const formats = new LRUCache<string, Intl.NumberFormat>({ max: MAX_FORMATS });
const known = new LRUCache<string, PriceParts>(bySize);
const texts = new LRUCache<string, string>(bySize);

/**
 * Formats a price by the store's locale, with every decimal place that was sent and at least as many as the currency has, or
 * rounded to the given number of them. Text that is not a number is shown as sent (docs/rules.md#prices-and-other-numbers).
 */
export function priceParts(
  price: string,
  locale: string,
  currency: string,
  display: CurrencyDisplay = "symbol",
  decimals?: number,
): PriceParts {
  const key = `${locale}/${currency}/${display}/${decimals ?? ""}/${price}`;
  const parts = known.get(key) ?? takeApart(price, locale, currency, display, decimals);
  known.set(key, parts);
  return parts;
}

/** Formats a price on one line for a locale. With `rounded`, for a calculated price, it has the decimals of its currency. */
export function priceText(
  price: string,
  locale: string,
  currency: string,
  decimals?: "rounded",
  display: CurrencyDisplay = "symbol",
): string {
  if (!isNumber(price)) return price;
  const digits = decimals === "rounded" ? currencyDecimals(currency) : digitsOf(price, currency);
  const key = `${locale}/${currency}/${display}/${digits}/${price}`;
  const text =
    texts.get(key) ??
    narrowGroups(formatOf(locale, currency, digits, display).format(price as Intl.StringNumericLiteral));
  texts.set(key, text);
  return text;
}

/** Returns the number of decimal places: all that were sent, and at least as many as the currency has. */
const digitsOf = (price: string, currency: string): number =>
  Math.min(Math.max(currencyDecimals(currency), price.split(".")[1]?.length ?? 0), MAX_DECIMALS);

function takeApart(
  price: string,
  locale: string,
  currency: string,
  display: CurrencyDisplay,
  decimals?: number,
): PriceParts {
  const parts: PriceParts = { before: "", integer: "", separator: "", decimals: "", after: "", isVerbatim: false };
  if (!isNumber(price)) return { ...parts, integer: price, isVerbatim: true };
  const format = formatOf(locale, currency, decimals ?? digitsOf(price, currency), display);
  for (const { type, value } of format.formatToParts(price as Intl.StringNumericLiteral)) {
    if (type === "decimal") parts.separator = value;
    else if (type === "fraction") parts.decimals = value;
    else if (type === "currency" && !/\d/.test(parts.integer)) parts.before = value;
    else if (type === "currency") parts.after = value;
    else if (type !== "literal") parts.integer += value;
  }
  return parts;
}

const usualDecimals = new LRUCache<string, number>({ max: MAX_FORMATS });

/** Returns the number of decimal places of a currency, such as 2 for EUR and 0 for JPY. */
export function currencyDecimals(currency: string): number {
  const found =
    usualDecimals.get(currency) ??
    new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions().maximumFractionDigits ??
    2;
  usualDecimals.set(currency, found);
  return found;
}

function formatOf(locale: string, currency: string, digits: number, display: CurrencyDisplay): Intl.NumberFormat {
  const key = `${locale}/${currency}/${digits}/${display}`;
  let format = formats.get(key);
  if (format === undefined) {
    format = new Intl.NumberFormat(locale, {
      style: "currency",
      currency,
      currencyDisplay: display === "symbol" ? "narrowSymbol" : "code",
      // The typefaces have no digits other than 0 to 9.
      numberingSystem: "latn",
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    });
    formats.set(key, format);
  }
  return format;
}
