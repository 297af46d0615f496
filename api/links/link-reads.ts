import { linksOfItems } from "../../queues/linking/item-links.ts";
import { items } from "../../records/kinds/items.ts";
import { links, storeLinks, studioLinks } from "../../records/kinds/links.ts";
import { byLabelAndPosition, everyLinkOfLabel } from "../../records/linking/links-of-labels.ts";
import type { Records } from "../../records/records.ts";
import { exists } from "../../schemas/item.ts";
import { itemKey, itemOfStoreLink, labelKey, linkKey } from "../../schemas/keys.ts";
import type { Link } from "../../schemas/link.ts";
import type { LinkRecord } from "../../schemas/link-record.ts";
import type { Stored } from "../../schemas/record.ts";
import { linkRecordAnswer, storeLinkAnswer } from "./link-record-answer.ts";
import type { LinksWorld } from "./links.ts";

/** Reads for the operations on links as records (docs/integrators/links.md#links-as-records). */
export function createLinkReads(records: Records): Pick<LinksWorld, "readLink" | "linksOfItem" | "linksOfLabel"> {
  async function show(found: readonly Stored<Link>[]): Promise<LinkRecord[]> {
    const chosen = await records.read(
      studioLinks,
      found.filter(({ origin }) => origin === "studio").map(({ _id }) => _id),
    );
    return found.map((link) => linkRecordAnswer(link, chosen.get(link._id)));
  }

  /** Returns links without tombstones, ordered by label and position. */
  async function readAlive(keys: readonly string[]): Promise<Stored<Link>[]> {
    const found = [...(await records.read(links, keys)).values()];
    return found.filter(({ status }) => status !== "DELETED").sort(byLabelAndPosition);
  }

  async function itemExists(key: string): Promise<boolean> {
    const item = (await records.readFields(items, [key], ["deleted"])).get(key);
    return item !== undefined && exists(item);
  }

  return {
    async readLink(store, linkId) {
      const itemId = itemOfStoreLink(linkId);
      if (itemId === undefined) {
        const key = linkKey(store, linkId);
        const link = (await records.read(links, [key])).get(key);
        return link && (await show([link]))[0];
      }
      const key = itemKey(store, itemId);
      const storeLink = (await records.read(storeLinks, [key])).get(key);
      return storeLink && storeLinkAnswer(storeLink, await itemExists(key));
    },

    async linksOfItem(store, itemId) {
      const key = itemKey(store, itemId);
      const [isThere, keys, storeLevel] = await Promise.all([
        itemExists(key),
        linksOfItems(records, [key]),
        records.read(storeLinks, [key]),
      ]);
      if (!isThere) return undefined;
      const own = (await readAlive(keys)).filter((link) => link.itemId === itemId);
      const active = [...storeLevel.values()].filter(({ status }) => status !== "DELETED");
      return [...active.map((storeLink) => storeLinkAnswer(storeLink, true)), ...(await show(own))];
    },

    linksOfLabel: async (store, barcode) =>
      show(await readAlive(await everyLinkOfLabel(records, labelKey(store, barcode)))),
  };
}
