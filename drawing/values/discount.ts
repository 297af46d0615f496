import { LRUCache } from "lru-cache";
import { decimalText } from "../../domain/expression/decimal.ts";
import { isPrice } from "../../domain/prices/price-number.ts";
import { notice } from "../../schemas/drawing-notice.ts";
import { ValueError } from "./value-error.ts";

const HUNDRED = 100;

/**
 * Returns the reduction of a price against the lowest price of the last 30 days, in percent, such as `−25 %`. A reduction may
 * be announced only against that price (Directive 98/6/EC, article 6a). Rounded down to whole percents, so that no label
 * promises more than is true. Empty if the price is less than one percent lower. Throws ValueError for text that is not a
 * price.
 */
export function discountText(price: string, lowestPrice30: string, locale: string): string {
  for (const text of [price, lowestPrice30])
    if (!isPrice(text) || Number(text) === 0) throw new ValueError(notice("NOT_A_PRICE", { text }));
  const [now, before] = inSmallestUnits(price, lowestPrice30);
  const percent = now < before ? ((before - now) * BigInt(HUNDRED)) / before : 0n;
  return percent === 0n ? "" : formatOf(locale).format(-Number(percent) / HUNDRED);
}

/** Returns two decimals as integers of the same unit, so that no division loses a digit. */
function inSmallestUnits(one: string, other: string): [bigint, bigint] {
  const decimals = Math.max(...[one, other].map((text) => text.split(".")[1]?.length ?? 0));
  const [first, second] = [one, other].map((text) => {
    const [whole = "", fraction = ""] = decimalText(text).split(".");
    return BigInt(whole + fraction.padEnd(decimals, "0"));
  }) as [bigint, bigint];
  return [first, second];
}

const formats = new LRUCache<string, Intl.NumberFormat>({ max: 500 });

function formatOf(locale: string): Intl.NumberFormat {
  const known = formats.get(locale);
  if (known) return known;
  const format = new Intl.NumberFormat(locale, { style: "percent", numberingSystem: "latn", maximumFractionDigits: 0 });
  formats.set(locale, format);
  return format;
}
