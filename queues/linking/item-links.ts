import { itemLinks } from "../../records/kinds/item-links.ts";
import type { LinkUpsert } from "../../records/linking/merge-link.ts";
import type { Records } from "../../records/records.ts";
import { idOf, itemKey, linkIdOf, linkKey, ownerOf } from "../../schemas/keys.ts";
import type { ItemLinks } from "../../schemas/link.ts";
import type { Commit } from "../changes/commit.ts";

/** Keys of the links that these items may have. Some may have moved on to other items: look at the link. */
export async function linksOfItems(records: Records, itemKeys: readonly string[]): Promise<string[]> {
  const lists = await records.read(itemLinks, itemKeys);
  return [...lists.values()].flatMap(({ _id, links }) => links.map(({ id }) => linkKey(ownerOf(_id), id)));
}

/** Enters links in their items' lists, before they are written. */
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
 * Takes links out of the lists of items that they have left, where the list has them from before the
 * change that moved them: a link that has come back meanwhile was entered with a later stamp.
 */
export async function leaveItemLinks(
  commit: Commit,
  left: readonly { link: string; itemId: string; movedBy: number }[],
): Promise<void> {
  const byItem = Map.groupBy(left, ({ link, itemId }) => itemKey(ownerOf(link), itemId));
  const without = (key: string, current: ItemLinks | undefined): ItemLinks | undefined => {
    const movedBy = new Map((byItem.get(key) ?? []).map((one) => [idOf(one.link), one.movedBy]));
    return current && { links: current.links.filter(({ id, stamp }) => stamp >= (movedBy.get(id) ?? 0)) };
  };
  await commit.change(itemLinks, [...byItem.keys()], without, "bulk");
}
