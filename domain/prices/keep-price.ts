import { exists, type Item } from "../../schemas/item.ts";
import { charge, type Moment } from "./charge.ts";

/** Maximum number of price changes that an item keeps: more than a year of daily changes. */
export const MAX_PRICES = 400;

/**
 * Returns an item after a row, with what it keeps of its prices (`charged`, and one more of `prices` if the price changed).
 * `before` is the item before the row. A tombstone keeps the prices too, so that a deletion does not hide a lower price.
 */
export function keepPrice<Known extends Item>(before: Item | undefined, after: Known, moment: Moment): Known {
  const was = before && exists(before) ? before.price : undefined;
  const known = before?.charged;
  const charged = charge(known, { was, price: after.price }, moment);
  if (charged === undefined) return after;
  if (charged === known) return { ...after, charged };
  const unknownSince = known === undefined && was !== undefined ? [lineOf({ since: 0, price: was })] : [];
  const lines = [...unknownSince, lineOf({ since: charged.since, price: after.price })];
  return { ...after, charged, prices: [...(after.prices ?? []), ...lines] };
}

/**
 * Returns an item after all rows of a write (`keepPrice` for each). `before` is the stored item. If the price is the same again,
 * and no price in between was charged for any time, nothing has happened: a campaign that began and ended while no process ran
 * does not remove a prior price.
 */
export function settlePrice<Known extends Item | undefined>(before: Item | undefined, after: Known): Known {
  if (before === undefined || after === undefined || !exists(before) || after.price !== before.price) return after;
  if (after.prices === undefined || pricesIn(after.prices).some(({ price }) => price !== before.price)) return after;
  const { charged: _, prices: __, ...item } = after;
  return { ...item, ...(before.charged && { charged: before.charged }) } as Known;
}

/** A price that was charged. `since` is 0 if unknown. Without a price, nothing has been charged since then. */
export interface ChargedPrice {
  /** When it began to be charged, in milliseconds since 1970. */
  since: number;
  price: string | undefined;
}

const lineOf = ({ since, price }: ChargedPrice): string => `${since} ${price ?? ""}`;

/**
 * Returns the prices of an item in chronological order. A price that was replaced at the time at which it took effect is left
 * out.
 */
export function pricesIn(lines: readonly string[]): ChargedPrice[] {
  const prices = lines.map((line): ChargedPrice => {
    const [since = ""] = line.split(" ", 1);
    return { since: Number(since), price: line.slice(since.length + 1) || undefined };
  });
  return prices.filter(({ since }, index) => prices[index + 1]?.since !== since);
}
