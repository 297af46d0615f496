import type { Db } from "mongodb";
import type { Commit } from "../../../queues/changes/commit.ts";
import { linksOfItems } from "../../../queues/linking/item-links.ts";
import { openImageFiles } from "../../../records/files/image-files.ts";
import { openUploads } from "../../../records/files/uploads.ts";
import { itemPages } from "../../../records/kinds/item-pages.ts";
import { labels } from "../../../records/kinds/label.ts";
import { labelTypes } from "../../../records/kinds/label-type.ts";
import { links } from "../../../records/kinds/link.ts";
import { models } from "../../../records/kinds/model.ts";
import { stores } from "../../../records/kinds/store.ts";
import { type Records, readAll } from "../../../records/records.ts";
import { idOf, itemKey, labelOfLink, tenantOf } from "../../../schemas/keys.ts";
import { pageSizes } from "../rules/page-sizes.ts";
import type { ItemWorld } from "../world.ts";
import { createPageDrawing } from "./page-drawing.ts";

type Pages = Pick<ItemWorld, "changePages" | "pageSizesOf" | "readUpload" | "drawPages" | "putPictures" | "mustExist">;

/** The part of the item worker's world that page images need. */
export function createPages(db: Db, records: Records, commit: Commit, now: () => Date): Pages {
  const uploads = openUploads(db, now);
  const imageFiles = openImageFiles(db, now);

  /** Names of the models of the labels that an item is linked to. */
  async function linkedModels(store: string, itemId: string): Promise<Set<string>> {
    const found = [...(await records.read(links, await linksOfItems(records, [itemKey(store, itemId)]))).values()];
    const own = found.filter((link) => link.status === "ACTIVE" && link.itemId === itemId);
    const labelRecords = await records.readFields(
      labels,
      own.map(({ _id }) => labelOfLink(_id).label),
      ["modelName"],
    );
    return new Set([...labelRecords.values()].map(({ modelName }) => modelName));
  }

  return {
    async changePages(store, itemIds, decide, urgency) {
      const keys = itemIds.map((itemId) => itemKey(store, itemId));
      await commit.change(itemPages, keys, (key, current) => decide(idOf(key), current), urgency);
    },

    async pageSizesOf(store, itemId, page) {
      const tenant = tenantOf(store);
      const [linked, allModels, types] = await Promise.all([
        linkedModels(store, itemId),
        readAll(records, models, `${tenant}/models/`),
        readAll(records, labelTypes, `${tenant}/labeltypes/`),
      ]);
      const own = allModels.filter(({ name }) => linked.has(name));
      return pageSizes(own, { models: allModels, labelTypes: types }, page);
    },

    readUpload: uploads.read,
    drawPages: createPageDrawing(),
    putPictures: (store, files) => imageFiles.put(tenantOf(store), files),
    mustExist: async (store) => (await records.read(stores, [store])).get(store)?.parameters?.ITEM_MUST_EXIST ?? true,
  };
}
