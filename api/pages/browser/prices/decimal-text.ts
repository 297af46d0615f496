import { decimalSignOf } from "./decimal-sign.ts";

/** Keys of notices with prices and percentages among their values. */
const OF_PRICES = /^notice\.(?:UNIT_|STRUCK_)?PRICE_/;
const DECIMAL = /^-?\d+\.\d+$/;

/**
 * Writes the decimal numbers in a message about prices in the language's format, with the zeros that were sent; the
 * interface writes each number with a point.
 */
export function decimalsIn(language: string): (key: string, value: string) => string {
  const sign = decimalSignOf(language);
  return (key, value) => (OF_PRICES.test(key) && DECIMAL.test(value) ? value.replace(".", sign) : value);
}
