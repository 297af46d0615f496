import type { Charged, PriorPriceRules } from "../../schemas/charged.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** An hour more than 30 days of 24 hours: a period in which clocks are set back is not shorter than 30 days either. */
export const PERIOD_MS = 30 * DAY_MS + HOUR_MS;

/** The period whose lowest price is the prior price, in milliseconds since 1970. */
export interface PriorPeriod {
  from: number;
  until: number;
  /** Whether all prices of the period are known, so that no lower one can be missing. */
  isCovered: boolean;
}

/**
 * The prior price of the present price: the lowest price that was charged in the 30 days before it took effect (Directive
 * 98/6/EC, article 6a(2)), or in what the rules of the store have instead. Undefined if no price of that period is known.
 */
export function priorPriceOf(charged: Charged, rules: PriorPriceRules): string | undefined {
  const { from } = priorPeriodOf(charged, rules);
  // Each earlier price is higher than the one before it.
  return beginOf(charged, rules).before.find(({ until }) => until > from)?.price;
}

/** The period from which the prior price of the present price is taken. */
export function priorPeriodOf(charged: Charged, rules: PriorPriceRules): PriorPeriod {
  const { first, isOlder } = charged;
  const { since } = beginOf(charged, rules);
  const isNew = !isOlder && since - first < PERIOD_MS;
  const length = isNew && rules.newGoodsDays !== undefined ? rules.newGoodsDays * DAY_MS : PERIOD_MS;
  return { from: since - length, until: since, isCovered: !isOlder || first <= since - length };
}

/** Where the reduction began: with the present price, or with the first of the reductions that it continues. */
const beginOf = ({ since, before, series }: Charged, { progressive }: PriorPriceRules) =>
  progressive && series ? series : { since, before };
