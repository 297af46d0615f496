import type { GlassEntry } from "../../schemas/glass.ts";
import type { PriceShown } from "../../schemas/price-history.ts";
import type { ChargedPrice } from "./keep-price.ts";
import { changeOf } from "./price-change.ts";
import { compare, isPositive, priceNumber } from "./price-number.ts";
import type { PriorPeriod } from "./prior-price.ts";

/** A price and the period in which it was charged, in milliseconds since 1970. Without `until`, it is still charged. */
export interface Period extends ChargedPrice {
  until: number | undefined;
}

/** Returns each price with its period; the prices are in chronological order. */
export const periodsOf = (prices: readonly ChargedPrice[]): Period[] =>
  prices.map((price, index) => ({ ...price, until: prices[index + 1]?.since }));

/** Whether a price was charged in the period of a prior price. */
export const countsFor = (prior: PriorPeriod | undefined, { price, since, until }: Period): boolean =>
  prior !== undefined && price !== undefined && until !== undefined && until > prior.from && since < prior.until;

/**
 * Returns the reduction of a price against the prior price in whole percent, rounded down so that no label promises more than is
 * true. Undefined if the price is not lower, or if either price is not a number above zero.
 */
export function reductionOf(price: string | undefined, prior: string | undefined): number | undefined {
  const [now, before] = [price, prior].map((text) => (text === undefined ? undefined : priceNumber(text)));
  if (now === undefined || before === undefined || !isPositive(now) || compare(now, before) >= 0) return undefined;
  const { before: base, change } = changeOf(before, now);
  return Number((-change * 100n) / base);
}

/** Returns how many labels acknowledged an item's price while it was charged, and when. Undefined if no label did. */
export function shownIn(
  { price, since, until = Number.POSITIVE_INFINITY }: Period,
  itemId: string,
  entries: readonly GlassEntry[],
): PriceShown | undefined {
  const showing = entries.filter(
    ({ at, items, uploaded, fault }) =>
      uploaded !== true &&
      fault === undefined &&
      since <= at.getTime() &&
      at.getTime() < until &&
      items.some((item) => item.itemId === itemId && item.price === price),
  );
  const times = showing.map(({ at }) => at.toISOString()).sort();
  const [first, last] = [times.at(0), times.at(-1)];
  if (price === undefined || first === undefined || last === undefined) return undefined;
  return { labels: new Set(showing.map(({ label }) => label)).size, first, last };
}
