import { isDeepStrictEqual } from "node:util";
import type { Link, LinkDesign } from "../../schemas/link.ts";
import type { LinkPatchRow } from "../../schemas/link-record.ts";
import { afterEvent } from "./link-transitions.ts";

/** The link that a row sets at a label's display position, with its code resolved to an item. */
export interface LinkUpsert {
  eslId: string;
  displayPosition: number;
  itemId: string;
  linkedItemId: string;
  facings?: string;
  location?: string;
  /** Set by POST /links, which replaces design and facings; if absent, a link to the same item keeps both. */
  design?: LinkDesign;
  stamp: number;
}

/**
 * Returns a link after an upsert. The larger stamp wins, for the position as a whole. A different item at the position, or an
 * item at a position that is not ACTIVE, is a relink: the position becomes a studio link without the previous design and facings.
 * The same item confirms the link and leaves its design unchanged.
 *
 * `isLatest`: all smaller numbers are applied, so an unchanged link needs no new stamp.
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

/**
 * The changes in a row of PATCH /links/{linkId}, with its code resolved to an item. Absent fields stay unchanged; null clears a
 * field.
 */
export interface LinkChange extends Omit<LinkPatchRow, "linkId"> {
  stamp: number;
}

/**
 * Returns a link after a change. A different item is a relink: the previous item's facings and forced design are removed,
 * unless the change sets new ones. A DELETED link stays DELETED: only POST /links and the calls on labels link its position
 * again.
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

/** Returns a link after an unlink with this stamp: a tombstone that a request with a smaller number cannot make ACTIVE. */
export function unlink(current: Link, stamp: number, isLatest: boolean): Link {
  if (stamp < current.stamp) return current;
  return currentLink(current, { ...afterEvent(current, "UNLINK"), stamp }, isLatest);
}

/** Returns the merged link; the current one if both are equal and the later stamp is not needed (`isLatest`). */
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
/** The fields that are compared; eslId and displayPosition are in the key, and linkedAt changes with the item. */
const content = ["itemId", "linkedItemId", "facings", "location", "status", "switchedOff", ...designFields] as const;

const designOf = (link: Link): LinkDesign => {
  const { origin, designId, forced_design_id, designerlink, ecclink, studiolink } = link;
  return { origin, designId, forced_design_id, designerlink, ecclink, studiolink };
};

const patchedText = (present: string | undefined, change: string | null | undefined): string | undefined =>
  change === undefined ? present : (change ?? undefined);
