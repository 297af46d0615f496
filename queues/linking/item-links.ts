import { type Entering, enterLinks } from "../../domain/linking/links-of-item.ts";
import type { LinkUpsert } from "../../domain/linking/merge-link.ts";
import { itemLinks } from "../../records/kinds/items.ts";
import type { Records } from "../../records/records.ts";
import { inBatches } from "../../schemas/in-batches.ts";
import { idOf, itemKey, linkKey, ownerOf } from "../../schemas/keys.ts";
import type { ItemLinks } from "../../schemas/link.ts";
import type { Commit } from "../changes/commit.ts";

/**
 * Returns the keys of the links that these items may have. A link may since have moved to a different item: check its `itemId`.
 */
export async function linksOfItems(records: Records, itemKeys: readonly string[]): Promise<string[]> {
  const lists = await records.read(itemLinks, itemKeys);
  return [...lists.values()].flatMap(({ _id, links }) => links.map(({ id }) => linkKey(ownerOf(_id), id)));
}

/** Number of links that are handled together. */
const LINKS_PER_BATCH = 1_000;

/**
 * Like `linksOfItems`, but in batches, since the lists of a batch of items may contain millions of links in total, which would
 * not fit into memory. A link that has moved from one of the items to another may be in two batches.
 */
export async function* scanLinksOfItems(
  records: Pick<Records, "readInParts">,
  itemKeys: readonly string[],
): AsyncGenerator<string[]> {
  for await (const lists of records.readInParts(itemLinks, itemKeys))
    yield* inBatches(
      lists.flatMap(({ _id, links }) => links.map(({ id }) => linkKey(ownerOf(_id), id))),
      LINKS_PER_BATCH,
    );
}

/**
 * Adds links to their items' lists. Must be called before the links are written, so that a list never lacks a link. Returns the
 * links that did not fit into their item's list: they must not be written.
 */
export async function enterItemLinks<Upsert extends Entering & Pick<LinkUpsert, "itemId">>(
  commit: Commit,
  store: string,
  upserts: readonly Upsert[],
): Promise<ReadonlySet<Upsert>> {
  const byItem = Map.groupBy(upserts, ({ itemId }) => itemKey(store, itemId));
  const refused = new Map<string, readonly Upsert[]>();
  const entered = (key: string, current: ItemLinks | undefined): ItemLinks | undefined => {
    const { links, refused: withoutRoom } = enterLinks(current, byItem.get(key) ?? []);
    refused.set(key, withoutRoom);
    return { links };
  };
  await commit.change(itemLinks, [...byItem.keys()], entered, "bulk");
  return new Set([...refused.values()].flat());
}

/**
 * Removes links from the lists of items that they have left. An entry with the stamp of the move (`movedBy`) or a later one
 * stays: the link has since returned to the item.
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
