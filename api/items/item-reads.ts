import type { Db } from "mongodb";
import { linksOfItems } from "../../queues/linking/item-links.ts";
import { items, schedules } from "../../records/kinds/items.ts";
import { links } from "../../records/kinds/links.ts";
import { byLabelAndPosition } from "../../records/linking/links-of-labels.ts";
import { listRecords } from "../../records/list-records.ts";
import type { Records } from "../../records/records.ts";
import { exists, type Item } from "../../schemas/item.ts";
import { itemKey } from "../../schemas/keys.ts";
import type { LinkAnswer } from "../../schemas/link.ts";
import type { Stored } from "../../schemas/record.ts";
import { linkAnswer, shownOfLink } from "../labels/label-answer.ts";

/** Reads items, their ACTIVE links and their scheduled updates. */
export function createItemReads(db: Db, records: Records) {
  return {
    async readItem(store: string, itemId: string) {
      const item = (await records.read(items, [itemKey(store, itemId)])).get(itemKey(store, itemId));
      return item && exists(item) ? item : undefined;
    },
    /** Returns the existing items among these, by id. */
    async readItems(store: string, itemIds: readonly string[]): Promise<Map<string, Stored<Item>>> {
      const keys = itemIds.map((itemId) => itemKey(store, itemId));
      const found = [...(await records.read(items, keys)).values()].filter(exists);
      return new Map(found.map((item) => [item.itemId, item]));
    },
    /** Returns a store's items that are not deleted, by id, in batches. */
    listItems: (store: string, start: number, limit: number) =>
      listRecords(db, items, {
        prefix: itemKey(store, ""),
        filter: { deleted: { $exists: false } },
        start,
        limit,
      }),
    /** Returns the first item ids of a store after an id, in order. */
    async listItemIds(store: string, after: string | undefined, limit: number): Promise<string[]> {
      const listing = {
        prefix: itemKey(store, ""),
        filter: { deleted: { $exists: false } },
        limit,
        fields: ["itemId"],
      };
      const found: string[] = [];
      for await (const batch of listRecords(db, items, {
        ...listing,
        after: after === undefined ? undefined : itemKey(store, after),
      }))
        found.push(...batch.map(({ itemId }) => itemId));
      return found;
    },
    /** Returns the ACTIVE links of items, by item id; each item's links are ordered by label and position. */
    async readLinks(store: string, itemIds: readonly string[]): Promise<Map<string, LinkAnswer[]>> {
      const keys = await linksOfItems(
        records,
        itemIds.map((itemId) => itemKey(store, itemId)),
      );
      const read = await records.readFields(links, keys, shownOfLink);
      const found = [...read.values()].filter(({ status }) => status === "ACTIVE");
      const byItem = Map.groupBy(found, ({ itemId }) => itemId);
      return new Map([...byItem].map(([itemId, group]) => [itemId, group.sort(byLabelAndPosition).map(linkAnswer)]));
    },
    /** Reads when the next scheduled update of each item is due, by item id; items without one are left out. */
    async readDue(store: string, itemIds: readonly string[]): Promise<Map<string, Date>> {
      const keys = itemIds.map((itemId) => itemKey(store, itemId));
      const found = await records.readFields(schedules, keys, ["itemId", "due"]);
      return new Map([...found.values()].flatMap(({ itemId, due }) => (due ? [[itemId, due]] : [])));
    },
    readSchedule: async (store: string, itemId: string) =>
      (await records.read(schedules, [itemKey(store, itemId)])).get(itemKey(store, itemId)),
  };
}
