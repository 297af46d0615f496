import type { StoreLink } from "../../schemas/link.ts";

/** What a pair of a bulk request wants: a design for an item in a store, or none any more. */
export interface StoreLinkChange {
  itemId: string;
  /** Full key; undefined ends the link. */
  designId: string | undefined;
  stamp: number;
}

/**
 * A store-level link as a pair leaves it; the later stamp wins. Undefined where there is none and shall be none.
 *
 * `isLatest` says that no smaller number can come any more: then a link that stands already needs no new stamp.
 */
export function mergeStoreLink(
  current: StoreLink | undefined,
  { itemId, designId, stamp }: StoreLinkChange,
  isLatest: boolean,
): StoreLink | undefined {
  if (current === undefined) return designId === undefined ? undefined : { itemId, designId, status: "ACTIVE", stamp };
  if (stamp < current.stamp) return current;
  const merged: StoreLink =
    designId === undefined
      ? { ...current, status: "DELETED", stamp }
      : { ...current, designId, status: "ACTIVE", stamp };
  const stands = merged.status === current.status && merged.designId === current.designId;
  return stands && isLatest ? current : merged;
}
