import { isDeepStrictEqual } from "node:util";
import type { Db } from "mongodb";
import { linksOfItems } from "../queues/item-links.ts";
import type { ImageFiles } from "../records/image-files.ts";
import type { RecordKind, Stored } from "../records/kind.ts";
import { eslImages } from "../records/kinds/esl-image.ts";
import { items } from "../records/kinds/item.ts";
import { labels } from "../records/kinds/label.ts";
import { labelStates } from "../records/kinds/label-state.ts";
import { links } from "../records/kinds/link.ts";
import { models } from "../records/kinds/model.ts";
import { schedules } from "../records/kinds/schedule.ts";
import { linksByLabel } from "../records/links-of-labels.ts";
import { type Records, readAll } from "../records/records.ts";
import type { Shown } from "../schemas/image.ts";
import { exists } from "../schemas/item.ts";
import { itemKey, keysUnder, labelKey, ownerOf, tenantOf } from "../schemas/keys.ts";
import type { Link, LinkAnswer } from "../schemas/link.ts";
import { linkAnswer } from "./label-answer.ts";
import type { ShownBeside } from "./labels.ts";

const PAGE = 500;

/** What the operations read of the records. */
export function createReads(db: Db, records: Records, imageFiles: ImageFiles) {
  async function* list<Body>(kind: RecordKind<Body>, prefix: string, filter: object, start: number, limit: number) {
    const cursor = db
      .collection<Stored<Body>>(kind.name)
      .find({ _id: keysUnder(prefix), ...filter } as never)
      .sort({ _id: 1 })
      .skip(start)
      .limit(limit)
      .batchSize(PAGE);
    try {
      while (await cursor.hasNext()) yield cursor.readBufferedDocuments(PAGE) as Stored<Body>[];
    } finally {
      await cursor.close();
    }
  }

  async function readLinks(store: string, itemIds: readonly string[]): Promise<Map<string, LinkAnswer[]>> {
    const keys = await linksOfItems(
      records,
      itemIds.map((itemId) => itemKey(store, itemId)),
    );
    const found = [...(await records.read(links, keys)).values()].filter(({ status }) => status === "ACTIVE");
    const byItem = Map.groupBy(found, ({ itemId }) => itemId);
    return new Map([...byItem].map(([itemId, ones]) => [itemId, ones.sort(byLabelAndPosition).map(linkAnswer)]));
  }

  async function readContext(labelKeys: readonly string[]): Promise<Map<string, ShownBeside>> {
    const byLabel = await linksByLabel(records, labelKeys);
    const [states, images, found] = await Promise.all([
      records.read(labelStates, labelKeys),
      records.readFields(eslImages, labelKeys, ["shows", "pages"]),
      records.read(links, [...byLabel.values()].flat()),
    ]);
    const active = [...found.values()].filter(({ status }) => status === "ACTIVE");
    const itemRevs = await records.readRevs(items, active.map(itemOf));
    return new Map(
      [...byLabel].map(([label, keys]): [string, ShownBeside] => {
        const own = keys.flatMap((key) => found.get(key) ?? []).filter(({ status }) => status === "ACTIVE");
        const present = own.map((link) => shownOf(link, itemRevs.get(itemOf(link)) ?? 0));
        const image = images.get(label);
        const state = states.get(label);
        const isDrawn = isDeepStrictEqual(image?.shows ?? [], present);
        const isWanted = isDeepStrictEqual(image?.pages ?? [], state?.wanted ?? []);
        return [label, { state, links: own.map(linkAnswer), isBehind: !isDrawn || !isWanted }];
      }),
    );
  }

  return {
    readLinks,
    readContext,
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
      list(items, itemKey(store, ""), { deleted: { $exists: false } }, start, limit),
    readModels: (store: string) => readAll(records, models, `${tenantOf(store)}/models/`),
    readLabel: async (store: string, barcode: string) =>
      (await records.read(labels, [labelKey(store, barcode)])).get(labelKey(store, barcode)),
    listLabels: (store: string, start: number, limit: number) => list(labels, labelKey(store, ""), {}, start, limit),
    hasLabel: async (store: string, barcode: string) =>
      (await records.readRevs(labels, [labelKey(store, barcode)])).size > 0,
    async readImage(store: string, barcode: string) {
      const key = labelKey(store, barcode);
      const image = (await records.read(eslImages, [key])).get(key)?.pages[0]?.image;
      return image === undefined ? undefined : (await imageFiles.read(tenantOf(key), [image])).get(image)?.png;
    },
  };
}

const byLabelAndPosition = (one: Link, other: Link): number =>
  one.eslId === other.eslId ? one.displayPosition - other.displayPosition : one.eslId < other.eslId ? -1 : 1;

const itemOf = (link: Stored<Link>): string => itemKey(ownerOf(link._id), link.itemId);

/** What a picture of this link tells of itself, if it is made from the link and the item as they are now. */
const shownOf = (link: Stored<Link>, itemRev: number): Shown => ({
  link: link._id,
  linkRev: link.rev,
  item: itemOf(link),
  itemRev,
});
