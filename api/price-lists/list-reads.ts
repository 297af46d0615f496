import type { Db } from "mongodb";
import { pageToSend } from "../../domain/labels/pages-to-send.ts";
import { joinListed, type ListedNow } from "../../domain/price-lists/plan-undo.ts";
import { linksOfItems } from "../../queues/linking/item-links.ts";
import { items, schedules } from "../../records/kinds/items.ts";
import { labelStates } from "../../records/kinds/labels.ts";
import { links } from "../../records/kinds/links.ts";
import { priceListParts, priceLists } from "../../records/kinds/price-lists.ts";
import type { Records } from "../../records/records.ts";
import { inBatches } from "../../schemas/in-batches.ts";
import { idOf, itemKey, keysUnder, labelOfLink, priceListKey, priceListPartsUnder } from "../../schemas/keys.ts";
import type { ListedItem, PriceList, PriceListAnswer } from "../../schemas/price-list.ts";
import type { Stored } from "../../schemas/record.ts";
import { numberOf } from "../../schemas/stamp.ts";

/** A label whose picture has a fault, or has not been sent, with the reason. */
export interface LateLabel {
  barcode: string;
  reason: string;
}

export interface ListReads {
  /** Returns a store's price lists, newest first. */
  listPriceLists(store: string, start: number, limit: number): Promise<Stored<PriceList>[]>;
  readPriceList(store: string, listId: string): Promise<Stored<PriceList> | undefined>;
  /** Returns the items that a list changes, each once. */
  readListedItems(store: string, listId: string): Promise<ListedItem[]>;
  /** Returns the names of items that have one. */
  readItemNames(store: string, itemIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Returns the current state of these items of a list, in batches. */
  readListedNow(list: Stored<PriceList>, listed: readonly ListedItem[]): AsyncIterable<ListedNow[]>;
  /** Counts the labels that the prices of these items have reached, and lists the labels that have failed. */
  readLabelProgress(
    store: string,
    listed: readonly ListedItem[],
  ): Promise<PriceListAnswer["labels"] & { late: LateLabel[] }>;
}

const ITEMS_PER_READ = 500;
const MAX_LATE = 10_000;

/** Reads price lists. */
export function createListReads(db: Db, records: Records): ListReads {
  /** Returns the labels that show these items, each with its items. */
  async function labelsOf(store: string, itemIds: readonly string[]): Promise<Map<string, string[]>> {
    const wanted = new Set(itemIds);
    const keys = await linksOfItems(
      records,
      itemIds.map((itemId) => itemKey(store, itemId)),
    );
    const shown = new Map<string, string[]>();
    for (const { _id, itemId, status } of (await records.readFields(links, keys, ["itemId", "status"])).values()) {
      if (status !== "ACTIVE" || !wanted.has(itemId)) continue;
      const { label } = labelOfLink(_id);
      shown.set(label, [...(shown.get(label) ?? []), itemId]);
    }
    return shown;
  }

  return {
    listPriceLists: (store, start, limit) =>
      db
        .collection<Stored<PriceList>>(priceLists.name)
        .find({ _id: keysUnder(priceListKey(store, "")), store })
        .sort({ store: 1, since: -1 })
        .skip(start)
        .limit(limit)
        .toArray(),

    readPriceList: async (store, listId) =>
      (await records.read(priceLists, [priceListKey(store, listId)])).get(priceListKey(store, listId)),

    async readListedItems(store, listId) {
      const parts = new Map<string, ListedItem[]>();
      for await (const batch of records.scan(priceListParts, priceListPartsUnder(store, listId)))
        for (const part of batch) parts.set(part._id, JSON.parse(part.items) as ListedItem[]);
      return joinListed(parts);
    },

    async readItemNames(store, itemIds) {
      const keys = itemIds.map((itemId) => itemKey(store, itemId));
      const found = await records.readFields(items, keys, ["itemName"]);
      return new Map([...found].flatMap(([key, { itemName }]) => (itemName ? [[idOf(key), itemName] as const] : [])));
    },

    async *readListedNow({ _id, store, requests }, listed) {
      const [listId, first] = [idOf(_id), Math.min(...requests)];
      for (const batch of inBatches(listed, ITEMS_PER_READ)) {
        const keys = batch.map(([itemId]) => itemKey(store, itemId));
        const [present, planned] = await Promise.all([records.read(items, keys), records.read(schedules, keys)]);
        yield batch.map((one): ListedNow => {
          const key = itemKey(store, one[0]);
          const updates = planned.get(key)?.updates ?? [];
          const isScheduled = updates.some(
            ({ list, failed, stamp }) => list === listId && !failed && numberOf(stamp) >= first,
          );
          return { listed: one, item: present.get(key), isScheduled };
        });
      }
    },

    async readLabelProgress(store, listed) {
      const progress = { total: 0, drawn: 0, acknowledged: 0, late: [] as LateLabel[] };
      const seen = new Set<string>();
      for (const batch of inBatches(listed, ITEMS_PER_READ)) {
        const ids = batch.map(([itemId]) => itemId);
        const shown = [...(await labelsOf(store, ids))].filter(([label]) => !seen.has(label));
        const [prices, states] = await Promise.all([
          records.readFields(
            items,
            ids.map((itemId) => itemKey(store, itemId)),
            ["itemId", "price"],
          ),
          records.read(
            labelStates,
            shown.map(([label]) => label),
          ),
        ]);
        for (const [label, itemIds] of shown) {
          seen.add(label);
          const state = states.get(label);
          const onGlass = new Map(state?.content?.items.map(({ itemId, price }) => [itemId, price]));
          const isDrawn = itemIds.every(
            (itemId) => onGlass.has(itemId) && onGlass.get(itemId) === prices.get(itemKey(store, itemId))?.price,
          );
          progress.total += 1;
          if (isDrawn) progress.drawn += 1;
          if (isDrawn && state && pageToSend(state) === undefined) progress.acknowledged += 1;
          const reason = state?.fault ?? state?.givenUp ?? state?.putOff;
          if (reason !== undefined && progress.late.length < MAX_LATE)
            progress.late.push({ barcode: idOf(label), reason });
        }
      }
      return progress;
    },
  };
}
