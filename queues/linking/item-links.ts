import { itemLinks } from "../../records/kinds/item-links.ts";
import type { LinkUpsert } from "../../records/linking/merge-link.ts";
import type { Records } from "../../records/records.ts";
import { idOf, itemKey, linkIdOf, linkKey, ownerOf } from "../../schemas/keys.ts";
import type { ItemLinks } from "../../schemas/link.ts";
import type { Commit } from "../changes/commit.ts";

/** Keys of the links that these items may have. A link may have moved to another item since: check its `itemId`. */
export async function linksOfItems(records: Records, itemKeys: readonly string[]): Promise<string[]> {
  const lists = await records.read(itemLinks, itemKeys);
  return [...lists.values()].flatMap(({ _id, links }) => links.map(({ id }) => linkKey(ownerOf(_id), id)));
}

/** Adds links to their items' lists. To be called before the links are written, so that a list never lacks a link. */
export async function enterItemLinks(commit: Commit, store: string, upserts: readonly LinkUpsert[]): Promise<void> {
  const entries = Map.groupBy(upserts, ({ itemId }) => itemKey(store, itemId));
  const entered = (key: string, current: ItemLinks | undefined): ItemLinks | undefined => {
    const list = new Map((current?.links ?? []).map((entry) => [entry.id, entry]));
    for (const { eslId, displayPosition, stamp } of entries.get(key) ?? []) {
      const id = linkIdOf(eslId, displayPosition);
      if (stamp > (list.get(id)?.stamp ?? -1)) list.set(id, { id, stamp });
    }
    return { links: [...list.values()] };
  };
  await commit.change(itemLinks, [...entries.keys()], entered, "bulk");
}

/**
 * Removes links from the lists of items that they have left. A list entry with a stamp of the move (`movedBy`) or
 * later stays: the link has come back to the item meanwhile.
 */
export async function leaveItemLinks(
  commit: Commit,
  left: readonly { link: string; itemId: string; movedBy: number }[],
): Promise<void> {
  const byItem = Map.groupBy(left, ({ link, itemId }) => itemKey(ownerOf(link), itemId));
  const without = (key: string, current: ItemLinks | undefined): ItemLinks | undefined => {
    const movedBy = new Map((byItem.get(key) ?? []).map(({ link, movedBy: stamp }) => [idOf(link), stamp]));
    return current && { links: current.links.filter(({ id, stamp }) => stamp >= (movedBy.get(id) ?? 0)) };
  };
  await commit.change(itemLinks, [...byItem.keys()], without, "bulk");
}
