import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { regularOf } from "../../domain/campaigns/offers.ts";
import { byJump, type GuardedRow, type Tried, tryGuards } from "../../domain/guards/try-guards.ts";
import { items } from "../../records/kinds/items.ts";
import type { Records } from "../../records/records.ts";
import type { CampaignRow } from "../../schemas/campaign-row.ts";
import type { GuardCode } from "../../schemas/guard-notice.ts";
import { type HeldFor, MAX_HELD_ROWS } from "../../schemas/held-request.ts";
import { inBatches } from "../../schemas/in-batches.ts";
import { exists, type Item, type ItemPatch } from "../../schemas/item.ts";
import { itemKey } from "../../schemas/keys.ts";
import type { PriceGuards } from "../../schemas/price-guards.ts";
import { stampOf } from "../../schemas/stamp.ts";

interface Dependencies {
  records: Pick<Records, "readFields" | "count">;
  now(): Date;
  /** The current time in milliseconds. */
  clock(): number;
}

/** A row for an item, or a row of a campaign. */
type GuardableRow = (GuardedRow & Pick<ItemPatch, "itemName">) | CampaignRow;

/** The rows of a request, and where they take effect. */
export interface RowsToTry {
  store: string;
  timeZone: string;
  guards: PriceGuards;
  /** Rows of items or of a campaign; the prices of both are compared with the regular prices. */
  rows: readonly GuardableRow[];
  /** The request's number, if it has one. A row then changes nothing if its item has a newer price. */
  number?: number;
}

/** The guards' findings, and the part of them that a held request stores. */
export interface TriedRows extends Tried {
  heldFor: HeldFor;
}

export type TryRows = (request: RowsToTry) => Promise<TriedRows>;

const ITEMS_PER_READ = 500;
const fields = ["itemId", "itemName", "price", "properties", "stamps", "floor", "offers", "deleted"] as const;
type Read = Pick<Item, (typeof fields)[number]>;
const COUNT_TTL_MS = 60_000;
const MAX_STORES = 10_000;

/** Checks rows against a store's guards, with the items as they are now. */
export function createTryRows({ records, now, clock }: Dependencies): TryRows {
  const counts = new LRUCache<string, { count: Promise<number>; at: number }>({ max: MAX_STORES });

  /** Counted at most once a minute, since the number changes little. It includes the tombstones of the last day. */
  function countItems(store: string): Promise<number> {
    const known = counts.get(store);
    if (known && clock() - known.at < COUNT_TTL_MS) return known.count;
    const count = records.count(items, itemKey(store, ""));
    counts.set(store, { count, at: clock() });
    count.catch(() => counts.delete(store));
    return count;
  }

  async function readItems(store: string, rows: readonly GuardableRow[]): Promise<Map<string, Read>> {
    const priced = rows.filter((row) => row.price || row.properties);
    const keys = [...new Set(priced.map(({ itemId }) => itemKey(store, itemId)))];
    const found = new Map<string, Read>();
    for (const batch of inBatches(keys, ITEMS_PER_READ))
      for (const item of (await records.readFields(items, batch, fields)).values())
        found.set(item.itemId, regularOf(item));
    return found;
  }

  return async ({ store, timeZone, guards, rows, number }) => {
    const stored = await readItems(store, rows);
    const present = new Map([...stored].filter(([, item]) => exists(item)));
    const counted = number === undefined ? rows : rows.map((row, index) => unlessOlder(row, index, number, stored));
    const storeItems = guards.amount?.share === undefined ? 0 : await countItems(store);
    const tried = tryGuards(guards, { rows: counted, present, storeItems, timeZone, now: now() });
    return { ...tried, heldFor: heldForOf(tried, rows, present) };
  };
}

/**
 * Drops the price of a row whose item has a newer price or has since been deleted. The prices of a campaign and of a
 * scheduled row override newer prices.
 */
function unlessOlder(row: GuardableRow, index: number, number: number, stored: ReadonlyMap<string, Read>): GuardedRow {
  const item = stored.get(row.itemId);
  const overrides = "campaign" in row || Boolean(row.validFrom);
  const newest = Math.max(overrides ? -1 : (item?.stamps.price ?? -1), item?.floor ?? -1);
  return newest < stampOf(number, index) ? row : { itemId: row.itemId };
}

function heldForOf({ hits, whole }: Tried, rows: readonly GuardableRow[], present: ReadonlyMap<string, Read>): HeldFor {
  const inOrder = hits.toSorted(byJump);
  const shown = inOrder.slice(0, MAX_HELD_ROWS).map((hit) => {
    const row = rows[hit.row];
    const itemName = (row && "itemName" in row && row.itemName) || present.get(hit.itemId)?.itemName;
    return { ...hit, ...(itemName && { itemName }) };
  });
  const largest = inOrder.find(({ percent }) => percent !== undefined)?.percent;
  const digest = digestOf({ hits, whole });
  return { whole, rows: shown, count: hits.length, digest, ...(largest !== undefined && { largest }) };
}

/** Guards whose notice contains a time, which differs from day to day. */
const timed: readonly GuardCode[] = ["PRICE_FROZEN", "PRICE_RISE_FROZEN", "PRICE_OUT_OF_HOURS"];

const digestOf = ({ hits, whole }: Tried): string => {
  const ofNotice = ({ code, values }: Tried["whole"][number]) => (timed.includes(code) ? [code] : [code, values]);
  const parts = hits.map(({ row, price, was, notices }) => [row, price, was ?? "", notices.map(ofNotice)]);
  return hash("sha256", JSON.stringify([parts, whole.map(({ code }) => code)]), "base64url");
};
