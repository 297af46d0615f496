import { isDeepStrictEqual } from "node:util";
import type { Link, LinkDesign } from "../../schemas/link.ts";
import { afterEvent } from "./link-transitions.ts";

/** What a row wants at a label's display position, with the item found. */
export interface LinkUpsert {
  eslId: string;
  displayPosition: number;
  itemId: string;
  linkedItemId: string;
  facings?: string;
  location?: string;
  /** What POST /links makes it: then the whole link is as that call says. */
  design?: LinkDesign;
  stamp: number;
}

/**
 * A link as an upsert leaves it. The later stamp wins the position as a whole; another item at the position, or one
 * at a position that was not ACTIVE, is a relink: the position becomes a studio link, and the design and the facings
 * of what was there before are gone. The same item again confirms the link and leaves its design alone.
 *
 * `isLatest` says that no smaller number can come any more: then a link that stands already needs no new stamp.
 */
export function mergeLink(current: Link | undefined, upsert: LinkUpsert, isLatest: boolean, now: Date): Link {
  if (current !== undefined && upsert.stamp < current.stamp) return current;
  const { location, facings, design, ...target } = upsert;
  const stays = current !== undefined && current.status === "ACTIVE" && current.itemId === upsert.itemId;
  const confirmed = stays && design === undefined;
  const merged: Link = {
    ...target,
    facings: facings ?? (confirmed ? current.facings : undefined),
    location: location ?? current?.location,
    ...(confirmed ? designOf(current) : (design ?? { origin: "studio" })),
    status: "ACTIVE",
    linkedAt: stays ? current.linkedAt : now,
  };
  return currentLink(current, merged, isLatest);
}

/** What a row of PATCH /links/{linkId} changes, with the item found. What is absent stays; null clears. */
export interface LinkChange {
  itemId?: string;
  linkedItemId?: string;
  facings?: string | null;
  status?: "ACTIVE" | "INACTIVE";
  forced_design_id?: string | null;
  /** Its origin and its metadata anew: setting one kind removes the other. */
  design?: Omit<LinkDesign, "forced_design_id">;
  /** Of a designer link; other links have none of their own. */
  designId?: string;
  stamp: number;
}

/**
 * A link as a change leaves it. Another item is a relink: the facings and the forced design that were for the old one
 * go, where the change names no new ones. A link that is DELETED stays so: only POST /links and the calls on labels make it anew.
 */
export function patchLink(current: Link, change: LinkChange, isLatest: boolean, now: Date): Link {
  if (change.stamp < current.stamp || current.status === "DELETED") return current;
  const { itemId = current.itemId, linkedItemId = current.linkedItemId, design, stamp } = change;
  const moves = itemId !== current.itemId;
  const base = moves ? { ...afterEvent(current, "LINK"), linkedAt: now } : current;
  const patched: Link = {
    ...base,
    itemId,
    linkedItemId,
    facings: patchedText(moves ? undefined : current.facings, change.facings),
    ...(design && { designId: undefined, designerlink: undefined, ecclink: undefined, studiolink: undefined }),
    ...design,
    forced_design_id: patchedText(moves ? undefined : current.forced_design_id, change.forced_design_id),
    stamp,
  };
  if (patched.origin === "designer" && change.designId !== undefined) patched.designId = change.designId;
  const switched = change.status
    ? afterEvent(patched, change.status === "ACTIVE" ? "SWITCH_ON" : "SWITCH_OFF")
    : patched;
  return currentLink(current, switched, isLatest);
}

/** A link that was unlinked by this stamp: a tombstone, which a request of a smaller number cannot bring back. */
export function unlink(current: Link, stamp: number, isLatest: boolean): Link {
  if (stamp < current.stamp) return current;
  return currentLink(current, { ...afterEvent(current, "UNLINK"), stamp }, isLatest);
}

/** The merged link; the present one where they say the same and nobody needs the later stamp. */
function currentLink(current: Link | undefined, merged: Link, isLatest: boolean): Link {
  if (current === undefined || !content.every((field) => isDeepStrictEqual(current[field], merged[field])))
    return merged;
  return isLatest ? current : { ...current, stamp: merged.stamp };
}

const designFields = [
  "origin",
  "designId",
  "forced_design_id",
  "designerlink",
  "ecclink",
  "studiolink",
] as const satisfies (keyof Link)[];
/** Fields that make a difference; eslId and displayPosition are in the key, and linkedAt moves with the item. */
const content = ["itemId", "linkedItemId", "facings", "location", "status", "switchedOff", ...designFields] as const;

const designOf = ({ origin, designId, forced_design_id, designerlink, ecclink, studiolink }: Link): LinkDesign => ({
  origin,
  ...(designId !== undefined && { designId }),
  ...(forced_design_id !== undefined && { forced_design_id }),
  ...(designerlink !== undefined && { designerlink }),
  ...(ecclink !== undefined && { ecclink }),
  ...(studiolink !== undefined && { studiolink }),
});

const patchedText = (present: string | undefined, change: string | null | undefined): string | undefined =>
  change === undefined ? present : (change ?? undefined);
