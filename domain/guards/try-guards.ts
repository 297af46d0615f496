import { type GuardNotice, guardNotice } from "../../schemas/guard-notice.ts";
import type { Item, ItemPatch } from "../../schemas/item.ts";
import type { PriceGuards } from "../../schemas/price-guards.ts";
import { absolute, changeOf, percentOf } from "../prices/price-change.ts";
import { compare, isPositive, type PriceNumber, priceNumber, product } from "../prices/price-number.ts";
import { instantOfStoreTime } from "../times/store-time.ts";
import { endOf, localTime, nextBegin, timeText } from "./periods.ts";

/** The fields of a request's row that guards read. */
export type GuardedRow = Pick<ItemPatch, "itemId" | "price" | "validFrom" | "properties">;

/** The fields of a stored item that guards read. */
export type GuardedItem = Pick<Item, "itemId" | "price" | "properties">;

export interface GuardFacts {
  rows: readonly GuardedRow[];
  /** The items that exist, by id. */
  present: ReadonlyMap<string, GuardedItem>;
  /** Number of items in the store. Only the guard on the share of changed items needs it. */
  storeItems: number;
  timeZone: string;
  now: Date;
}

/** A row that changes a price, and the guards that it hits. */
export interface PriceChange {
  /** Index of the row in its request. */
  row: number;
  itemId: string;
  price: string;
  /** The previous price. Absent for the first price of an item. */
  was?: string;
  /** Price change in percent. Absent if either price is not a number, or the previous price is not above zero. */
  percent?: number;
  notices: GuardNotice[];
}

/** What the guards found in a request. */
export interface Tried {
  /** The rows that hit guards, or every row that changes a price if the request as a whole hits a guard. */
  hits: PriceChange[];
  /** The guards that the request as a whole hits. */
  whole: GuardNotice[];
}

/**
 * Checks the rows of a request against guards. Each row that changes its item's price is compared with the price that the
 * earlier rows result in. A row that repeats the current price is let through, so a price list that is sent again is never
 * held.
 */
export function tryGuards(guards: PriceGuards, facts: GuardFacts): Tried {
  const changes = changesOf(guards, facts);
  const whole = amountNotices(guards, changes, facts.storeItems);
  const hits = whole.length > 0 ? changes : changes.filter(({ notices }) => notices.length > 0);
  return { hits, whole };
}

/**
 * Compares price changes for the order in which people check them: changes that cannot be compared come first, then the largest
 * jumps.
 */
export const byJump = (one: PriceChange, other: PriceChange): number =>
  jumpOf(other) - jumpOf(one) || one.row - other.row;

const jumpOf = ({ percent }: PriceChange): number => (percent === undefined ? Number.MAX_VALUE : Math.abs(percent));

function changesOf(guards: PriceGuards, facts: GuardFacts): PriceChange[] {
  const { rows, present } = facts;
  const hours = createHours(guards, facts);
  const prices = new Map<string, string>();
  const costs = new Map<string, string>();
  return rows.flatMap(({ itemId, price, validFrom, properties }, row): PriceChange[] => {
    const stored = present.get(itemId);
    const name = guards.cost?.property;
    const cost = (name && properties?.[name]) || costs.get(itemId) || costOf(stored, name);
    if (cost) costs.set(itemId, cost);
    if (!price) return [];
    const was = prices.get(itemId) ?? stored?.price;
    if (price === was) return [];
    // A scheduled price does not change the price with which later rows are compared.
    if (!validFrom) prices.set(itemId, price);
    const [before, after] = [was === undefined ? undefined : priceNumber(was), priceNumber(price)];
    const percent = before && after && percentOf(before, after);
    const notices = [...ofPrice(guards, price, after, before, was), ...ofCost(guards, price, after, cost)];
    // A first price is not a change, so only the price itself is checked.
    if (was !== undefined) notices.push(...hours(validFrom, isRise(before, after)));
    return [
      { row, itemId, price, ...(was !== undefined && { was }), ...(percent !== undefined && { percent }), notices },
    ];
  });
}

const costOf = (item: GuardedItem | undefined, name: string | undefined): string | undefined =>
  item?.properties.find(({ key }) => key === name)?.value;

function ofPrice(
  { number, positive, range, change }: PriceGuards,
  price: string,
  after: PriceNumber | undefined,
  before: PriceNumber | undefined,
  was = "",
): GuardNotice[] {
  if (after === undefined) return number ? [guardNotice("PRICE_NOT_NUMBER", { price })] : [];
  const notices: GuardNotice[] = [];
  if (positive && !isPositive(after)) notices.push(guardNotice("PRICE_NOT_POSITIVE", { price }));
  const { least, most } = range ?? {};
  if (least !== undefined && isBeyond(least, after, -1)) notices.push(guardNotice("PRICE_LOW", { price, least }));
  if (most !== undefined && isBeyond(most, after, 1)) notices.push(guardNotice("PRICE_HIGH", { price, most }));
  const isUp = isRise(before, after);
  const allowed = isUp ? change?.rise : change?.fall;
  if (before && allowed !== undefined && changesBeyond(before, after, allowed)) {
    const percent = Math.abs(percentOf(before, after) ?? 0);
    notices.push(guardNotice(isUp ? "PRICE_RISE" : "PRICE_FALL", { percent, was, price, most: allowed }));
  }
  return notices;
}

/** Whether a price rises or falls by more than this percentage. False if the former price is not above zero. */
function changesBeyond(was: PriceNumber, price: PriceNumber, percent: number): boolean {
  if (!isPositive(was)) return false;
  const { before, change } = changeOf(was, price);
  return compare({ digits: absolute(change) * 100n, scale: 0 }, product({ digits: before, scale: 0 }, percent)) > 0;
}

const isBeyond = (bound: string, price: PriceNumber, side: 1 | -1): boolean => {
  const limit = priceNumber(bound);
  return limit !== undefined && compare(price, limit) === side;
};

/** A change from or to text that is not a number counts as a rise, since a rise cannot be ruled out. */
const isRise = (before: PriceNumber | undefined, after: PriceNumber | undefined): boolean =>
  before === undefined || after === undefined || compare(after, before) > 0;

function ofCost(
  { cost: guard }: PriceGuards,
  price: string,
  after: PriceNumber | undefined,
  cost: string | undefined,
): GuardNotice[] {
  const known = cost === undefined ? undefined : priceNumber(cost);
  if (guard === undefined || after === undefined || cost === undefined || !known || !isPositive(known)) return [];
  const { least, most } = guard;
  const notices: GuardNotice[] = [];
  if (least !== undefined && compare(after, product(known, least)) < 0)
    notices.push(guardNotice("PRICE_BELOW_COST", { price, least, cost }));
  if (most !== undefined && compare(after, product(known, most)) > 0)
    notices.push(guardNotice("PRICE_ABOVE_COST", { price, most, cost }));
  return notices;
}

/** Checks whether a change is allowed now, or at the time for which it is scheduled. Each time is checked once. */
function createHours({ windows = [], freezes = [] }: PriceGuards, { timeZone, now }: GuardFacts) {
  const known = new Map<string, GuardNotice[]>();

  function noticesAt(validFrom: string | null | undefined, rises: boolean): GuardNotice[] {
    const at = validFrom ? Math.max(instantOfStoreTime(validFrom, timeZone), now.getTime()) : now.getTime();
    const local = localTime(new Date(at), timeZone);
    const ends = freezes.flatMap((freeze) => (freeze.rises && !rises ? [] : (endOf(freeze, local) ?? [])));
    const notices = ends.map((end) => timeText(end)).sort();
    const until = notices.at(-1);
    const frozen = until === undefined ? [] : [guardNotice(codeOf(freezes, local), { until })];
    if (windows.length === 0 || windows.some((window) => endOf(window, local) !== undefined)) return frozen;
    const from = nextBegin(windows, local);
    const closed = from ? guardNotice("PRICE_OUT_OF_HOURS", { from: timeText(from) }) : guardNotice("PRICE_NEVER", {});
    return [...frozen, closed];
  }

  return (validFrom: string | null | undefined, rises: boolean): GuardNotice[] => {
    if (windows.length === 0 && freezes.length === 0) return [];
    const key = `${rises} ${validFrom ?? ""}`;
    const found = known.get(key) ?? noticesAt(validFrom, rises);
    known.set(key, found);
    return found;
  };
}

/** A freeze of all changes is reported rather than a freeze of rises only. */
const codeOf = (
  freezes: NonNullable<PriceGuards["freezes"]>,
  local: ReturnType<typeof localTime>,
): "PRICE_FROZEN" | "PRICE_RISE_FROZEN" =>
  freezes.some((freeze) => !freeze.rises && endOf(freeze, local) !== undefined) ? "PRICE_FROZEN" : "PRICE_RISE_FROZEN";

function amountNotices({ amount }: PriceGuards, changes: readonly PriceChange[], items: number): GuardNotice[] {
  const count = new Set(changes.filter(({ was }) => was !== undefined).map(({ itemId }) => itemId)).size;
  const { items: most, share } = amount ?? {};
  const notices: GuardNotice[] = [];
  if (most !== undefined && count > most) notices.push(guardNotice("TOO_MANY_PRICES", { count, most }));
  if (share !== undefined && count * 100 > share * items)
    notices.push(guardNotice("TOO_LARGE_SHARE", { count, items, most: share }));
  return notices;
}
