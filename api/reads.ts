import type { Db } from "mongodb";
import { linksOfItems } from "../queues/item-links.ts";
import type { ImageFiles } from "../records/image-files.ts";
import { eslImages } from "../records/kinds/esl-image.ts";
import { items } from "../records/kinds/item.ts";
import { labels } from "../records/kinds/label.ts";
import { links } from "../records/kinds/link.ts";
import { models } from "../records/kinds/model.ts";
import { schedules } from "../records/kinds/schedule.ts";
import { byLabelAndPosition } from "../records/links-of-labels.ts";
import { listRecords } from "../records/list-records.ts";
import { type Records, readAll } from "../records/records.ts";
import { exists } from "../schemas/item.ts";
import { itemKey, labelKey, tenantOf } from "../schemas/keys.ts";
import type { LinkAnswer } from "../schemas/link.ts";
import { linkAnswer, type ShownLink, shownOfLink } from "./label-answer.ts";

/** What the operations read of the records. */
export function createReads(db: Db, records: Records, imageFiles: ImageFiles) {
  async function readLinks(store: string, itemIds: readonly string[]): Promise<Map<string, LinkAnswer[]>> {
    const keys = await linksOfItems(
      records,
      itemIds.map((itemId) => itemKey(store, itemId)),
    );
    const read = await records.readFields(links, keys, shownOfLink);
    const found = [...read.values()].filter(({ status }) => status === "ACTIVE");
    const byItem = Map.groupBy(found, ({ itemId }) => itemId);
    return new Map([...byItem].map(([itemId, ones]) => [itemId, ones.sort(byLabelAndPosition).map(linkAnswer)]));
  }

  return {
    readLinks,
    async readItem(store: string, itemId: string) {
      const item = (await records.read(items, [itemKey(store, itemId)])).get(itemKey(store, itemId));
      return item && exists(item) ? item : undefined;
    },
    async readDue(store: string, itemIds: readonly string[]): Promise<Map<string, Date>> {
      const keys = itemIds.map((itemId) => itemKey(store, itemId));
      const found = await records.readFields(schedules, keys, ["itemId", "due"]);
      return new Map([...found.values()].flatMap(({ itemId, due }) => (due ? [[itemId, due]] : [])));
    },
    readSchedule: async (store: string, itemId: string) =>
      (await records.read(schedules, [itemKey(store, itemId)])).get(itemKey(store, itemId)),
    listItems: (store: string, start: number, limit: number) =>
      listRecords(db, items, {
        prefix: itemKey(store, ""),
        filter: { deleted: { $exists: false } },
        start,
        limit,
      }),
    readModels: (store: string) => readAll(records, models, `${tenantOf(store)}/models/`),
    hasLabel: async (store: string, barcode: string) =>
      (await records.readRevs(labels, [labelKey(store, barcode)])).size > 0,
    async readImage(store: string, barcode: string) {
      const key = labelKey(store, barcode);
      const image = (await records.read(eslImages, [key])).get(key)?.pages[0]?.image;
      return image === undefined ? undefined : (await imageFiles.read(tenantOf(key), [image])).get(image)?.png;
    },
  };
}
