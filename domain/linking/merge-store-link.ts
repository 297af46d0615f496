import type { StoreLink } from "../../schemas/link.ts";

/** The change for one pair in a bulk request: a design for an item in a store, or the end of its link. */
export interface StoreLinkChange {
  itemId: string;
  /** Full key of the design; undefined ends the link. */
  designId: string | undefined;
  stamp: number;
}

/**
 * Returns a store-level link after a change; the larger stamp wins. Undefined if there is no link and the change makes none.
 *
 * `isLatest`: all smaller numbers are applied, so an unchanged link needs no new stamp.
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
  const isUnchanged = merged.status === current.status && merged.designId === current.designId;
  return isUnchanged && isLatest ? current : merged;
}
