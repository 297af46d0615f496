import type { Db } from "mongodb";
import { linksOfItems } from "../../queues/linking/item-links.ts";
import type { ImageFiles } from "../../records/files/image-files.ts";
import type { Stored } from "../../records/kind.ts";
import { eslImages } from "../../records/kinds/esl-image.ts";
import { items } from "../../records/kinds/item.ts";
import { labels } from "../../records/kinds/label.ts";
import { labelStates } from "../../records/kinds/label-state.ts";
import { links } from "../../records/kinds/link.ts";
import { models } from "../../records/kinds/model.ts";
import { schedules } from "../../records/kinds/schedule.ts";
import { byLabelAndPosition } from "../../records/linking/links-of-labels.ts";
import { listRecords } from "../../records/list-records.ts";
import { type Records, readAll } from "../../records/records.ts";
import { exists } from "../../schemas/item.ts";
import { idOf, itemKey, keysUnder, labelKey, tenantOf } from "../../schemas/keys.ts";
import type { Label } from "../../schemas/label.ts";
import type { LinkAnswer } from "../../schemas/link.ts";
import { linkAnswer, shownOfLink } from "../labels/label-answer.ts";

const BARCODES = 1000;

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
    return new Map([...byItem].map(([itemId, group]) => [itemId, group.sort(byLabelAndPosition).map(linkAnswer)]));
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
    /** Barcodes of the labels of a model, in pages. */
    async *barcodesOfModel(store: string, modelName: string): AsyncGenerator<string[]> {
      const cursor = db
        .collection<Stored<Label>>(labels.name)
        .find({ _id: keysUnder(labelKey(store, "")), modelName }, { projection: { _id: 1 } })
        .batchSize(BARCODES);
      try {
        while (await cursor.hasNext()) yield cursor.readBufferedDocuments(BARCODES).map(({ _id }) => idOf(_id));
      } finally {
        await cursor.close();
      }
    },
    /** What happened to a label, oldest first; undefined where there is no such label. */
    async readHistory(store: string, barcode: string): Promise<readonly string[] | undefined> {
      const key = labelKey(store, barcode);
      const [known, states] = await Promise.all([
        records.readRevs(labels, [key]),
        records.readFields(labelStates, [key], ["history"]),
      ]);
      return known.has(key) ? (states.get(key)?.history ?? []) : undefined;
    },
    hasLabel: async (store: string, barcode: string) =>
      (await records.readRevs(labels, [labelKey(store, barcode)])).size > 0,
    async readImage(store: string, barcode: string) {
      const key = labelKey(store, barcode);
      const image = (await records.read(eslImages, [key])).get(key)?.pages[0]?.image;
      return image === undefined ? undefined : (await imageFiles.read(tenantOf(key), [image])).get(image)?.png;
    },
  };
}
