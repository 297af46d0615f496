import { LRUCache } from "lru-cache";

/** A price taken apart for drawing. */
export interface PriceParts {
  /** Currency in front, where the locale has it there. */
  before: string;
  /** Sign, digits and grouping in front of the decimals. */
  integer: string;
  /** Decimal separator; empty where there are no decimals. */
  separator: string;
  decimals: string;
  /** Currency behind. */
  behind: string;
  /** Whether the text was no number, and is shown as it was sent. */
  isVerbatim: boolean;
}

/** How a currency is shown: by its sign (`€`), or by its code (`EUR`). */
export type CurrencyDisplay = "symbol" | "code";

/** What Intl can write; more than a price of 32 characters can have. */
const MAX_DECIMALS = 100;
const NUMBER = /^-?\d+(\.\d+)?$/;
const FORMATS = 500;
const PRICES_KEPT = 20_000;
const formats = new LRUCache<string, Intl.NumberFormat>({ max: FORMATS });
const known = new LRUCache<string, PriceParts>({ max: PRICES_KEPT });
const texts = new LRUCache<string, string>({ max: PRICES_KEPT });

/**
 * A price in the store's locale, with every decimal that was sent and at least as many as the currency
 * has. A text that is no number is drawn verbatim (decisions, Items).
 */
export function priceParts(
  price: string,
  locale: string,
  currency: string,
  display: CurrencyDisplay = "symbol",
): PriceParts {
  const key = `${locale}/${currency}/${display}/${price}`;
  const parts = known.get(key) ?? takeApart(price, locale, currency, display);
  known.set(key, parts);
  return parts;
}

/** A price as the store's locale writes it in a line; calculated ones are rounded to what the currency has. */
export function priceText(price: string, locale: string, currency: string, decimals?: "rounded"): string {
  if (!NUMBER.test(price)) return price;
  const sent = decimals === "rounded" ? 0 : decimalsOf(price);
  const key = `${locale}/${currency}/${sent}/${price}`;
  const text = texts.get(key) ?? formatOf(locale, currency, sent, "symbol").format(price as Intl.StringNumericLiteral);
  texts.set(key, text);
  return text;
}

const decimalsOf = (price: string): number => price.split(".")[1]?.length ?? 0;

function takeApart(price: string, locale: string, currency: string, display: CurrencyDisplay): PriceParts {
  const parts: PriceParts = { before: "", integer: "", separator: "", decimals: "", behind: "", isVerbatim: false };
  if (!NUMBER.test(price)) return { ...parts, integer: price, isVerbatim: true };
  const format = formatOf(locale, currency, decimalsOf(price), display);
  for (const { type, value } of format.formatToParts(price as Intl.StringNumericLiteral)) {
    if (type === "decimal") parts.separator = value;
    else if (type === "fraction") parts.decimals = value;
    else if (type === "currency" && !/\d/.test(parts.integer)) parts.before = value;
    else if (type === "currency") parts.behind = value;
    else if (type !== "literal") parts.integer += value;
  }
  return parts;
}

function formatOf(locale: string, currency: string, sent: number, display: CurrencyDisplay): Intl.NumberFormat {
  const key = `${locale}/${currency}/${sent}/${display}`;
  let format = formats.get(key);
  if (format === undefined) {
    const usual =
      new Intl.NumberFormat(locale, { style: "currency", currency }).resolvedOptions().maximumFractionDigits ?? 2;
    const digits = Math.min(Math.max(usual, sent), MAX_DECIMALS);
    format = new Intl.NumberFormat(locale, {
      style: "currency",
      currency,
      currencyDisplay: display === "symbol" ? "narrowSymbol" : "code",
      // Other digits than 0 to 9 are in none of the typefaces.
      numberingSystem: "latn",
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    });
    formats.set(key, format);
  }
  return format;
}
