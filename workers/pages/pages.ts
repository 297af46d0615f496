import type { Db } from "mongodb";
import type { Commit } from "../../queues/changes/commit.ts";
import { linksOfItems } from "../../queues/linking/item-links.ts";
import { openImageFiles } from "../../records/files/image-files.ts";
import { openUploads } from "../../records/files/uploads.ts";
import { itemPages } from "../../records/kinds/item-pages.ts";
import { labels } from "../../records/kinds/label.ts";
import { labelTypes } from "../../records/kinds/label-type.ts";
import { links } from "../../records/kinds/link.ts";
import { models } from "../../records/kinds/model.ts";
import { type Records, readAll } from "../../records/records.ts";
import { itemKey, labelOfLink, tenantOf } from "../../schemas/keys.ts";
import { setPages } from "../item/rules/merge-pages.ts";
import { pageSizes } from "../item/rules/page-sizes.ts";
import type { PagesWorld } from "./world.ts";

interface Dependencies {
  db: Db;
  records: Records;
  commit: Commit;
  now(): Date;
}

type Pages = Pick<PagesWorld, "pageSizesOf" | "readUpload" | "putPictures" | "setImages">;

/** The part of the pages worker's world that reads and writes. */
export function createPages({ db, records, commit, now }: Dependencies): Pages {
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
    async setImages(store, itemId, images, urgency) {
      const key = itemKey(store, itemId);
      await commit.change(itemPages, [key], (_, current) => setPages(current, itemId, images), urgency);
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
    putPictures: (store, files) => imageFiles.put(tenantOf(store), files),
  };
}
