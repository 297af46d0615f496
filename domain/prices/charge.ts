import type { Charged, EndedPrice, PriorPriceRules } from "../../schemas/charged.ts";
import { compare, isPositive, type PriceNumber, priceNumber } from "./price-number.ts";
import { PERIOD_MS, priorPriceOf } from "./prior-price.ts";

/**
 * Maximum number of earlier prices that an item keeps. If there are more, the two oldest are merged into one with the lower
 * price.
 */
export const MAX_BEFORE = 32;

/** When a price takes effect, in milliseconds since 1970, and the store's rules at that time. */
export interface Moment {
  at: number;
  rules: PriorPriceRules;
}

/**
 * Returns what an item keeps of its prices once a different price, or none, is charged. `was` is the price so far. The same
 * number in a different form is not a different price, and a price that is replaced at the very time at which it took effect was
 * never charged. A change dated before the current price took effect counts from that time. Only numbers above zero are prices
 * against which a reduction may be measured.
 */
export function charge(
  known: Charged | undefined,
  { was, price }: { was: string | undefined; price: string | undefined },
  { at, rules }: Moment,
): Charged | undefined {
  const next = chargeable(price);
  if (was === price || isSame(chargeable(was), next)) return known;
  const since = Math.max(at, known?.since ?? 0);
  const before = endedAt(since, known, was);
  const last = before.at(-1)?.until === since ? chargeable(before.at(-1)?.price) : undefined;
  const isReduced = last !== undefined && next !== undefined && compare(next, last) < 0;
  const series = isReduced ? seriesThrough(known, since) : undefined;
  const isOlder = known === undefined ? was !== undefined : known.isOlder;
  const charged: Charged = {
    since,
    first: known?.first ?? since,
    ...(isOlder && { isOlder }),
    before,
    ...(isReduced && { reduced: true as const }),
    ...(series && { series }),
    ...(Object.keys(rules).length > 0 && { rules }),
  };
  const prior = priorPriceOf(charged, rules);
  return prior === undefined ? charged : { ...charged, prior };
}

function chargeable(price: string | undefined): PriceNumber | undefined {
  const number = price === undefined ? undefined : priceNumber(price);
  return number && isPositive(number) ? number : undefined;
}

const isSame = (one: PriceNumber | undefined, other: PriceNumber | undefined): boolean =>
  one !== undefined && other !== undefined && compare(one, other) === 0;

/**
 * Returns the earlier prices once the current price has ended at `until`: only those that may still be the lowest of 30 days.
 */
function endedAt(until: number, known: Charged | undefined, price: string | undefined): EndedPrice[] {
  const earlier = known?.before ?? [];
  const number = chargeable(price);
  if (price === undefined || number === undefined || until <= (known?.since ?? -1)) return earlier;
  const mayBeLowest = (one: EndedPrice): boolean =>
    one.until > until - PERIOD_MS && compare(chargeable(one.price) ?? number, number) < 0;
  const [oldest, second, ...rest] = [...earlier.filter(mayBeLowest), { price, until }];
  if (oldest === undefined || second === undefined) return oldest ? [oldest] : [];
  return rest.length + 2 > MAX_BEFORE
    ? [{ price: oldest.price, until: second.until }, ...rest]
    : [oldest, second, ...rest];
}

/** Returns the series of reductions that another reduction continues. Undefined if that reduction is the first. */
function seriesThrough(known: Charged | undefined, since: number): Charged["series"] {
  if (known?.reduced === undefined || since - known.since > PERIOD_MS) return undefined;
  // A reduction that is replaced at the time at which it took effect passes on the series that it continued.
  if (since === known.since) return known.series;
  return known.series ?? { since: known.since, before: known.before };
}
