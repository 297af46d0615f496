import { LRUCache } from "lru-cache";
import { isNumber } from "../../domain/prices/price-number.ts";
import { notice } from "../../schemas/drawing-notice.ts";
import { ValueError } from "./value-error.ts";

const MAX_DECIMALS = 20;
const MAX_FORMATS = 500;
const formats = new LRUCache<string, Intl.NumberFormat>({ max: MAX_FORMATS });

/**
 * Formats a number by a locale, with the digits 0 to 9. It keeps all of its decimal places, up to 20, or is rounded to the
 * given number of them. Throws ValueError for text that is not a number.
 */
export function numberText(text: string, locale: string, decimals?: number): string {
  if (!isNumber(text)) throw new ValueError(notice("NOT_A_NUMBER", { text }));
  if (decimals !== undefined && !(decimals >= 0 && decimals <= MAX_DECIMALS)) {
    throw new ValueError(notice("DECIMALS_OF_NUMBER", { most: MAX_DECIMALS, decimals }));
  }
  const sent = Math.min(text.split(".")[1]?.length ?? 0, MAX_DECIMALS);
  return narrowGroups(formatOf(locale, decimals ?? sent).format(text as Intl.StringNumericLiteral));
}

const GROUP_BLANK = /(?<=\d)\s(?=\d)/g;
const NARROW_NO_BREAK_SPACE = "\u202f";

/** Makes spaces that group thousands narrow: a wide space would split a number in two. */
export const narrowGroups = (text: string): string => text.replace(GROUP_BLANK, NARROW_NO_BREAK_SPACE);

function formatOf(locale: string, digits: number): Intl.NumberFormat {
  const key = `${locale}/${digits}`;
  const known = formats.get(key);
  if (known) return known;
  const options = { numberingSystem: "latn", minimumFractionDigits: digits, maximumFractionDigits: digits };
  const format = new Intl.NumberFormat(locale, options);
  formats.set(key, format);
  return format;
}
