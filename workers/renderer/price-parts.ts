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

/** What Intl can write; more than a price of 32 characters can have. */
const MOST_DECIMALS = 100;
const NUMBER = /^-?\d+(\.\d+)?$/;
const formats = new Map<string, Intl.NumberFormat>();
const PRICES_KEPT = 20_000;
const known = new LRUCache<string, PriceParts>({ max: PRICES_KEPT });

/**
 * A price in the store's locale, with every decimal that was sent and at least as many as the currency
 * has. A text that is no number is drawn verbatim (decisions, Items).
 */
export function priceParts(price: string, locale: string, currency: string): PriceParts {
  const key = `${locale}/${currency}/${price}`;
  const parts = known.get(key) ?? takeApart(price, locale, currency);
  known.set(key, parts);
  return parts;
}

function takeApart(price: string, locale: string, currency: string): PriceParts {
  const parts: PriceParts = { before: "", integer: "", separator: "", decimals: "", behind: "", isVerbatim: false };
  if (!NUMBER.test(price)) return { ...parts, integer: price, isVerbatim: true };
  const sent = price.split(".")[1]?.length ?? 0;
  for (const { type, value } of formatOf(locale, currency, sent).formatToParts(price as Intl.StringNumericLiteral)) {
    if (type === "decimal") parts.separator = value;
    else if (type === "fraction") parts.decimals = value;
    else if (type === "currency" && !/\d/.test(parts.integer)) parts.before = value;
    else if (type === "currency") parts.behind = value;
    else if (type !== "literal") parts.integer += value;
  }
  return parts;
}

function formatOf(locale: string, currency: string, sent: number): Intl.NumberFormat {
  const key = `${locale}/${currency}/${sent}`;
  let format = formats.get(key);
  if (format === undefined) {
    const usual =
      new Intl.NumberFormat(locale, { style: "currency", currency }).resolvedOptions().maximumFractionDigits ?? 2;
    const digits = Math.min(Math.max(usual, sent), MOST_DECIMALS);
    format = new Intl.NumberFormat(locale, {
      style: "currency",
      currency,
      currencyDisplay: "narrowSymbol",
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    });
    formats.set(key, format);
  }
  return format;
}
