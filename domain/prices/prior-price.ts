import type { Charged, PriorPriceRules } from "../../schemas/charged.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** An hour more than 30 days of 24 hours, so that a period in which clocks are set back is not shorter than 30 days. */
export const PERIOD_MS = 30 * DAY_MS + HOUR_MS;

/** The period whose lowest price is the prior price, in milliseconds since 1970. */
export interface PriorPeriod {
  from: number;
  until: number;
  /** Whether all prices of the period are known, so no lower price can be missing. */
  isCovered: boolean;
}

/**
 * Returns the prior price of the current price: the lowest price that was charged in the 30 days before it took effect
 * (Directive 98/6/EC, article 6a(2)), or in the period that the store's rules name instead. Undefined if no price of that
 * period is known.
 */
export function priorPriceOf(charged: Charged, rules: PriorPriceRules): string | undefined {
  const { from } = priorPeriodOf(charged, rules);
  // `before` ascends in price, so its first price within the period is the lowest.
  return beginOf(charged, rules).before.find(({ until }) => until > from)?.price;
}

/** Returns the period from which the prior price of the current price is taken. */
export function priorPeriodOf(charged: Charged, rules: PriorPriceRules): PriorPeriod {
  const { first, isOlder } = charged;
  const { since } = beginOf(charged, rules);
  const isNew = !isOlder && since - first < PERIOD_MS;
  const length = isNew && rules.newGoodsDays !== undefined ? rules.newGoodsDays * DAY_MS : PERIOD_MS;
  return { from: since - length, until: since, isCovered: !isOlder || first <= since - length };
}

/** Returns where the reduction began: with the current price, or with the first of the reductions that it continues. */
const beginOf = ({ since, before, series }: Charged, { progressive }: PriorPriceRules) =>
  progressive && series ? series : { since, before };
