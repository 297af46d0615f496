import { linksOfItems } from "../../queues/linking/item-links.ts";
import type { ImageFiles } from "../../records/files/image-files.ts";
import { labelStates, labels } from "../../records/kinds/labels.ts";
import { links } from "../../records/kinds/links.ts";
import { eslImages } from "../../records/kinds/pictures.ts";
import type { Records } from "../../records/records.ts";
import { itemKey, labelKey, tenantOf } from "../../schemas/keys.ts";
import type { PictureOf } from "./label-image.ts";

/** Looks up labels by their items, and one label by its barcode: its existence, history and pictures. */
export function createLabelLookups(records: Records, imageFiles: ImageFiles) {
  return {
    hasLabel: async (store: string, barcode: string) =>
      (await records.readRevs(labels, [labelKey(store, barcode)])).size > 0,
    /** Returns a label's events, oldest first; undefined if there is no such label. */
    async readHistory(store: string, barcode: string): Promise<readonly string[] | undefined> {
      const key = labelKey(store, barcode);
      const [known, states] = await Promise.all([
        records.readRevs(labels, [key]),
        records.readFields(labelStates, [key], ["history"]),
      ]);
      return known.has(key) ? (states.get(key)?.history ?? []) : undefined;
    },
    /** Returns the barcodes of the labels that show any of these items. */
    async barcodesOfItems(store: string, itemIds: readonly string[]): Promise<string[]> {
      const keys = await linksOfItems(
        records,
        itemIds.map((itemId) => itemKey(store, itemId)),
      );
      const found = [...(await records.readFields(links, keys, ["eslId", "itemId", "status"])).values()];
      const wanted = new Set(itemIds);
      return found.flatMap(({ eslId, itemId, status }) => (status === "ACTIVE" && wanted.has(itemId) ? [eslId] : []));
    },
    /** Returns the PNG of a picture of a store's tenant; undefined if it is no longer stored. */
    async readPicture(store: string, sha256: string) {
      return (await imageFiles.read(tenantOf(store), [sha256])).get(sha256)?.png;
    },
    /** Returns the PNG of a picture of a label's first page; undefined if there is no such picture. */
    async readImage(store: string, barcode: string, of: PictureOf) {
      const key = labelKey(store, barcode);
      const [images, states] = await Promise.all([
        records.readFields(eslImages, [key], ["pages"]),
        of === "newest" ? new Map<string, never>() : records.readFields(labelStates, [key], ["shown"]),
      ]);
      const newest = images.get(key)?.pages[0]?.image;
      const shown: string | undefined = states.get(key)?.shown.find(({ page }) => page === 0)?.image;
      const image = of === "shown" ? shown : of === "next" && newest === shown ? undefined : newest;
      return image === undefined ? undefined : (await imageFiles.read(tenantOf(key), [image])).get(image)?.png;
    },
  };
}
