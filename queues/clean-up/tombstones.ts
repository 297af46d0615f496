import type { Db } from "mongodb";
import type { RecordKind } from "../../records/kind.ts";
import { itemLinks, itemPages, items } from "../../records/kinds/items.ts";
import { links, storeLinks } from "../../records/kinds/links.ts";
import { batchesOf } from "../../records/mongodb/batches-of.ts";
import type { Records } from "../../records/records.ts";
import { openHolds } from "../../records/requests/held/holds.ts";
import type { Numbers } from "../../records/requests/numbers.ts";
import type { Item } from "../../schemas/item.ts";
import { linkKey, ownerOf } from "../../schemas/keys.ts";
import type { ItemLinks, StoreLink } from "../../schemas/link.ts";
import type { ItemPages } from "../../schemas/page-image.ts";
import type { Stored } from "../../schemas/record.ts";
import { numberOf } from "../../schemas/stamp.ts";
import type { TimeSlice } from "./time-slice.ts";

/**
 * Data that serves only to order writes is kept for this long after its last change, since a slow process may still apply an
 * older row.
 */
export const SETTLED_TTL_MS = 24 * 3_600_000;

export interface TombstoneDependencies {
  db: Db;
  records: Records;
  numbers: Pick<Numbers, "settledThrough">;
}

/** A deleted item's remaining data. */
interface Remains {
  item: Stored<Item>;
  itemLinks: Stored<ItemLinks> | undefined;
  storeLink: Stored<StoreLink> | undefined;
  pages: Stored<ItemPages> | undefined;
}

const TOMBSTONES_PER_BATCH = 500;

/**
 * Removes item tombstones that no write needs, with all other data left under their keys; returns their number
 * (docs/decisions/lifetime/tombstones.md). Data that has changed since `before` stays.
 */
export async function forgetTombstones(
  { db, records, numbers }: TombstoneDependencies,
  before: Date,
  slice: TimeSlice,
): Promise<number> {
  const settledThrough = createSettled(numbers, openHolds(db).firstUnapplied);
  const tombstones = db
    .collection<Stored<Item>>(items.name)
    .find({ deleted: true, changedAt: { $lt: before } })
    .sort({ changedAt: 1 });
  let removed = 0;
  for await (const batch of batchesOf(tombstones, TOMBSTONES_PER_BATCH)) {
    const remains = await readRemains(records, batch);
    const linked = await findLinked(records, remains);
    const ended: Remains[] = [];
    for (const one of remains) {
      const isNeeded = linked.has(one.item._id) || stillCounts(one, before, await settledThrough(one.item.store));
      if (!isNeeded) ended.push(one);
    }
    // The item is removed last: if the process is killed in between, the next pass finds it and continues.
    await removeAll(
      records,
      itemLinks,
      ended.map(({ itemLinks }) => itemLinks),
    );
    await removeAll(
      records,
      storeLinks,
      ended.map(({ storeLink }) => storeLink),
    );
    await removeAll(
      records,
      itemPages,
      ended.map(({ pages }) => pages),
    );
    await removeAll(
      records,
      items,
      ended.map(({ item }) => item),
    );
    removed += ended.length;
    if (!(await slice.goOn())) break;
  }
  return removed;
}

/**
 * Returns a function that reads, once per store, the number up to which all requests are settled. With `firstHeld`, the number is
 * also smaller than the first held request's, since that request may yet be approved and applied after requests with larger
 * numbers.
 */
export function createSettled(
  { settledThrough }: Pick<Numbers, "settledThrough">,
  firstHeld: (store: string) => Promise<number | undefined> = async () => undefined,
): (store: string) => Promise<number> {
  const read = new Map<string, Promise<number>>();
  const readBoth = async (store: string) => {
    const [settled, held = Number.POSITIVE_INFINITY] = await Promise.all([settledThrough(store), firstHeld(store)]);
    return Math.min(settled, held - 1);
  };
  return (store) => {
    const known = read.get(store) ?? readBoth(store);
    read.set(store, known);
    return known;
  };
}

async function readRemains(records: Records, tombstones: readonly Stored<Item>[]): Promise<Remains[]> {
  const keys = tombstones.map(({ _id }) => _id);
  const [lists, ofStores, pages] = await Promise.all([
    records.read(itemLinks, keys),
    records.read(storeLinks, keys),
    records.read(itemPages, keys),
  ]);
  return tombstones.map((item) => {
    const { _id } = item;
    return { item, itemLinks: lists.get(_id), storeLink: ofStores.get(_id), pages: pages.get(_id) };
  });
}

/** Finds the items of links that are not DELETED: removing these items would change what is drawn. */
async function findLinked(records: Records, remains: readonly Remains[]): Promise<Set<string>> {
  const keysOf = ({ item, itemLinks: list }: Remains) =>
    (list?.links ?? []).map(({ id }) => linkKey(ownerOf(item._id), id));
  const found = await records.readFields(links, remains.flatMap(keysOf), ["itemId", "status"]);
  const isNamed = (one: Remains) =>
    keysOf(one).some((key) => {
      const link = found.get(key);
      return link?.itemId === one.item.itemId && link.status !== "DELETED";
    });
  return new Set(remains.filter(isNamed).map(({ item }) => item._id));
}

/** Whether any of the remaining data changed recently, is in use, or has a stamp above those of the settled requests. */
function stillCounts(
  { item, itemLinks: list, storeLink, pages }: Remains,
  before: Date,
  settledThrough: number,
): boolean {
  const stamps = [
    item.floor ?? item.created,
    ...(list?.links ?? []).map(({ stamp }) => stamp),
    storeLink?.stamp ?? 0,
    pages?.floor ?? 0,
    ...(pages?.removed ?? []).map(({ stamp }) => stamp),
  ];
  const isYoung = [item, list, storeLink, pages].some((record) => record !== undefined && record.changedAt >= before);
  const isAlive = storeLink?.status === "ACTIVE" || (pages?.images.length ?? 0) > 0;
  return isYoung || isAlive || stamps.some((stamp) => numberOf(stamp) > settledThrough);
}

const removeAll = (records: Records, kind: RecordKind<never>, found: readonly (Stored<unknown> | undefined)[]) =>
  records.remove(
    kind as RecordKind<unknown>,
    found.flatMap((record) => (record ? [{ key: record._id, rev: record.rev }] : [])),
  );
