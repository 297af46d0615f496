import { linkIdOf } from "../../schemas/keys.ts";
import type { ItemLinks } from "../../schemas/link.ts";
import { type RowNotice, rowNotice } from "../../schemas/row-notice.ts";
import type { LinkUpsert } from "./merge-link.ts";

/** Maximum number of links of one item: its list is one document, and a change to the item affects each link. */
export const MAX_LINKS_OF_ITEM = 20_000;

export type Entering = Pick<LinkUpsert, "eslId" | "displayPosition" | "stamp">;

/**
 * Returns an item's list with these links added, and the links that do not fit into it. A link that is already in the list is
 * never rejected.
 */
export function enterLinks<Upsert extends Entering>(
  current: ItemLinks | undefined,
  upserts: readonly Upsert[],
): ItemLinks & { refused: Upsert[] } {
  const list = new Map((current?.links ?? []).map((entry) => [entry.id, entry]));
  const refused: Upsert[] = [];
  for (const upsert of upserts) {
    const id = linkIdOf(upsert.eslId, upsert.displayPosition);
    const known = list.get(id);
    if (known === undefined && list.size >= MAX_LINKS_OF_ITEM) refused.push(upsert);
    else if (upsert.stamp > (known?.stamp ?? -1)) list.set(id, { id, stamp: upsert.stamp });
  }
  return { links: [...list.values()], refused };
}

export const noRoomFor = (itemId: string): RowNotice =>
  rowNotice("LINKS_FULL", { item: itemId, most: MAX_LINKS_OF_ITEM });
