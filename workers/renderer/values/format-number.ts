import { LRUCache } from "lru-cache";

const NUMBER = /^-?\d+(\.\d+)?$/;
const MAX_DECIMALS = 20;
const FORMATS = 500;
const formats = new LRUCache<string, Intl.NumberFormat>({ max: FORMATS });

/**
 * A number in the manner of a locale, in the digits 0 to 9: with every decimal that it was sent with, or rounded to as
 * many as are asked for. Throws RangeError where it is none.
 */
export function numberText(text: string, locale: string, decimals?: number): string {
  if (!NUMBER.test(text)) throw new RangeError(`"${text}" is no number`);
  if (decimals !== undefined && !(decimals >= 0 && decimals <= MAX_DECIMALS)) {
    throw new RangeError(`a number has 0 to ${MAX_DECIMALS} decimals, not ${decimals}`);
  }
  const sent = Math.min(text.split(".")[1]?.length ?? 0, MAX_DECIMALS);
  return formatOf(locale, decimals ?? sent).format(text as Intl.StringNumericLiteral);
}

function formatOf(locale: string, digits: number): Intl.NumberFormat {
  const key = `${locale}/${digits}`;
  const known = formats.get(key);
  if (known) return known;
  const options = { numberingSystem: "latn", minimumFractionDigits: digits, maximumFractionDigits: digits };
  const format = new Intl.NumberFormat(locale, options);
  formats.set(key, format);
  return format;
}
