import type { Link, LinkStatus } from "../../schemas/link.ts";

/** What a row wants at a label's display position, with the item found. */
export interface LinkUpsert {
  eslId: string;
  displayPosition: number;
  itemId: string;
  linkedItemId: string;
  facings?: string;
  location?: string;
  stamp: number;
}

/**
 * A link as an upsert leaves it. The later stamp wins the position as a whole; another item at the
 * position is a relink, and takes the design that was forced for the old one away.
 *
 * `isLatest` says that no smaller number can come any more: then a link that stands already needs no new stamp.
 */
export function mergeLink(current: Link | undefined, upsert: LinkUpsert, isLatest: boolean, now: Date): Link {
  if (current !== undefined && upsert.stamp < current.stamp) return current;
  const { location, facings, ...target } = upsert;
  const stays = current !== undefined && current.status === "ACTIVE" && current.itemId === upsert.itemId;
  const kept = {
    facings: facings ?? (stays ? current.facings : undefined),
    location: location ?? current?.location,
    forced_design_id: stays ? current.forced_design_id : undefined,
  };
  const same = stays && current.linkedItemId === upsert.linkedItemId && current.facings === kept.facings;
  if (same && current.location === kept.location) return isLatest ? current : { ...current, stamp: upsert.stamp };
  return { ...target, ...kept, status: "ACTIVE", origin: "studio", linkedAt: stays ? current.linkedAt : now };
}

/**
 * Whether a link is shown: while its item exists. A deletion is kept.
 * (decisions: "Deleting an item makes its links INACTIVE; making it again reactivates them".)
 */
export function statusFor(link: Link, itemExists: boolean): LinkStatus {
  if (link.status === "DELETED") return "DELETED";
  return itemExists ? "ACTIVE" : "INACTIVE";
}
