import { isPositive, type PriceNumber, product, scaledTo } from "./price-number.ts";

/** Whether a price rises or falls by more than this percentage. False if the former price is not above zero. */
export function changesBeyond(was: PriceNumber, price: PriceNumber, percent: number): boolean {
  if (!isPositive(was)) return false;
  const scale = Math.max(was.scale, price.scale);
  const change = scaledTo(scale, price) - scaledTo(scale, was);
  const allowed = product({ digits: scaledTo(scale, was), scale: 0 }, percent);
  return scaledTo(allowed.scale, { digits: (change < 0n ? -change : change) * 100n, scale: 0 }) > allowed.digits;
}

/** Returns the change in percent, rounded to a tenth. Undefined if the former price is not above zero. */
export function percentOf(was: PriceNumber, price: PriceNumber): number | undefined {
  if (!isPositive(was)) return undefined;
  const scale = Math.max(was.scale, price.scale);
  const before = scaledTo(scale, was);
  const change = scaledTo(scale, price) - before;
  const tenths = ((change < 0n ? -change : change) * 2000n + before) / (2n * before);
  return Number(change < 0n ? -tenths : tenths) / 10;
}
