import { type DecimalSign, decimalSignOf } from "./decimal-sign.ts";

const CURRENCY = /^(?:[A-Z]{3}|\p{Sc})|(?:[A-Z]{3}|\p{Sc})$/gu;
const WHOLE = /^\d{1,12}$|^\d{1,3}(?:[.,\s'’]\d{3}){1,3}$/;
const DECIMALS = /^\d{1,6}$/;

/**
 * Returns the price that the text states, in the interface's format: digits, and a decimal point if there are decimals.
 * A sign before three digits, as in `1.234`, precedes decimals if it is `decimal`, and otherwise separates thousands.
 * Undefined if the text is not a price: a price is one number, and never negative.
 */
export function readPrice(text: string, decimal: DecimalSign): string | undefined {
  const bare = text.trim().replace(CURRENCY, "").trim();
  const sign = decimalIn(bare, decimal);
  const at = sign === undefined ? bare.length : bare.lastIndexOf(sign);
  const [whole, decimals] = [bare.slice(0, at), bare.slice(at + 1)];
  if (!WHOLE.test(whole) || (sign !== undefined && !DECIMALS.test(decimals))) return undefined;
  // The same sign must separate all thousands.
  if (new Set(whole.match(/\D/g)).size > 1) return undefined;
  const digits = whole.replace(/\D/g, "").replace(/^0+/, "") || "0";
  return sign === undefined ? digits : `${digits}.${decimals}`;
}

/** Returns the sign before the decimals in this text; undefined if there is none. */
function decimalIn(bare: string, otherwise: DecimalSign): DecimalSign | undefined {
  const signs = (bare.match(/[.,]/g) ?? []) as DecimalSign[];
  const [last] = signs.slice(-1);
  if (last === undefined || new Set(signs).size > 1) return last;
  if (signs.length > 1) return undefined;
  return isAmbiguous(bare, last) && last !== otherwise ? undefined : last;
}

const isAmbiguous = (bare: string, sign: DecimalSign): boolean => bare.length - bare.lastIndexOf(sign) === 4;

/** Returns the decimal sign of a list's prices, taken from the first price that can be read in only one way. */
export function decimalSignIn(texts: readonly string[], otherwise: DecimalSign): DecimalSign {
  for (const text of texts) {
    const [point, comma] = [readPrice(text, "."), readPrice(text, ",")];
    if (point === undefined || point !== comma) continue;
    const bare = text.trim().replace(CURRENCY, "").trim();
    const sign = decimalIn(bare, otherwise);
    if (sign !== undefined) return sign;
  }
  return otherwise;
}

const PRICE = /^\d{1,12}(?:\.\d{1,6})?$/;

/** Whether the text is a price in the interface's format. */
export const isPrice = (text: string): boolean => PRICE.test(text);

/** Whether a person must confirm a price change: a change by more than half. */
export const isLargeChange = (from: string, to: string): boolean =>
  isPrice(from) && isPrice(to) && Math.abs(millionthsOf(to) - millionthsOf(from)) * 2 > millionthsOf(from);

/**
 * Returns the size of a price change relative to the earlier price; prices that cannot be compared count as the largest
 * change.
 */
export const jumpOf = (from: string, to: string): number =>
  isPrice(from) && isPrice(to) && Number(from) > 0 ? Math.abs(Number(to) / Number(from) - 1) : Number.MAX_VALUE;

/** Whole numbers compare exactly. */
const millionthsOf = (price: string): number => Math.round(Number(price) * 1e6);

/** Returns the interface's price as a field shows it, with the decimal sign of the page's language. */
export const writtenPrice = (price: string, language: string): string =>
  isPrice(price) ? price.replace(".", decimalSignOf(language)) : price;
