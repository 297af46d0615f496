import type { Db } from "mongodb";
import type { Logger } from "pino";
import { failPage, setPages } from "../../domain/items/merge-pages.ts";
import { pageSizes } from "../../domain/items/page-sizes.ts";
import type { Commit } from "../../queues/changes/commit.ts";
import { linksOfItems } from "../../queues/linking/item-links.ts";
import { openImageFiles } from "../../records/files/image-files.ts";
import { openUploads } from "../../records/files/uploads.ts";
import { itemPages } from "../../records/kinds/items.ts";
import { labels } from "../../records/kinds/labels.ts";
import { links } from "../../records/kinds/links.ts";
import { labelTypes, models } from "../../records/kinds/tenants.ts";
import { linksOfLabels } from "../../records/linking/links-of-labels.ts";
import { type Records, readAll } from "../../records/records.ts";
import { itemKey, labelOfLink, tenantOf } from "../../schemas/keys.ts";
import { itemWithPages } from "../../schemas/page-image.ts";
import type { PagesWorld } from "./world.ts";

interface Dependencies {
  db: Db;
  records: Records;
  commit: Commit;
  now(): Date;
  log: Pick<Logger, "warn">;
}

type Pages = Pick<PagesWorld, "pageSizesOf" | "readPages" | "readUpload" | "putPictures" | "setImages" | "failSize">;

/** Creates the part of the pages worker's world that reads and writes. */
export function createPages({ db, records, commit, now, log }: Dependencies): Pages {
  const uploads = openUploads(db, now);
  const imageFiles = openImageFiles(db, now);

  const readActive = async (linkKeys: readonly string[]) =>
    [...(await records.readFields(links, linkKeys, ["status", "itemId"])).values()].filter(
      ({ status }) => status === "ACTIVE",
    );

  /** Returns the model names of the labels that show only this item; undefined if the item is not linked to a label. */
  async function linkedModels(store: string, itemId: string): Promise<Set<string> | undefined> {
    const own = (await readActive(await linksOfItems(records, [itemKey(store, itemId)]))).filter(
      (link) => link.itemId === itemId,
    );
    if (own.length === 0) return undefined;
    const labelKeys = [...new Set(own.map(({ _id }) => labelOfLink(_id).label))];
    const all = await readActive(await linksOfLabels(records, labelKeys));
    const byLabel = Map.groupBy(all, ({ _id }) => labelOfLink(_id).label);
    const showsAlone = (label: string) =>
      itemWithPages((byLabel.get(label) ?? []).map((link) => link.itemId)) === itemId;
    const labelRecords = await records.readFields(labels, labelKeys.filter(showsAlone), ["modelName"]);
    return new Set([...labelRecords.values()].map(({ modelName }) => modelName));
  }

  return {
    async readPages(store, itemId) {
      const key = itemKey(store, itemId);
      return (await records.read(itemPages, [key])).get(key);
    },

    async setImages(store, itemId, images, urgency, source) {
      const key = itemKey(store, itemId);
      await commit.change(itemPages, [key], (_, current) => setPages(current, itemId, images, source), urgency);
    },

    async failSize(store, itemId, source, size, reason, urgency) {
      const key = itemKey(store, itemId);
      const { page, upload } = source;
      log.warn({ item: key, page, upload, ...size, reason }, "a page image cannot be shown in one size");
      await commit.change(
        itemPages,
        [key],
        (_, current) => current && failPage(current, source, size, reason),
        urgency,
      );
    },

    async pageSizesOf(store, itemId, page) {
      const tenant = tenantOf(store);
      const [linked, allModels, types] = await Promise.all([
        linkedModels(store, itemId),
        readAll(records, models, `${tenant}/models/`),
        readAll(records, labelTypes, `${tenant}/labeltypes/`),
      ]);
      const own = linked && allModels.filter(({ name }) => linked.has(name));
      return pageSizes(own, { models: allModels, labelTypes: types }, page);
    },

    readUpload: uploads.read,
    putPictures: (store, files) => imageFiles.put(tenantOf(store), files),
  };
}
