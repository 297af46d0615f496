import { isPositive, type PriceNumber, scaledTo } from "./price-number.ts";

/** Returns the change in percent, rounded to a tenth. Undefined if the former price is not above zero. */
export function percentOf(was: PriceNumber, price: PriceNumber): number | undefined {
  if (!isPositive(was)) return undefined;
  const { before, change } = changeOf(was, price);
  const tenths = (absolute(change) * 2000n + before) / (2n * before);
  return Number(change < 0n ? -tenths : tenths) / 10;
}

/** Returns the former price and its change, in digits with the same number of decimal places. */
export function changeOf(was: PriceNumber, price: PriceNumber): { before: bigint; change: bigint } {
  const scale = Math.max(was.scale, price.scale);
  const before = scaledTo(scale, was);
  return { before, change: scaledTo(scale, price) - before };
}

export const absolute = (digits: bigint): bigint => (digits < 0n ? -digits : digits);
