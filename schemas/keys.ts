import type { AssetType } from "./asset.ts";

/**
 * Every record's `_id` is its full key (docs/architecture/records.md#addresses-and-keys). Only these functions build and parse keys.
 *
 * A key is `t/{tenantId}/{kind}/{id}` or `t/{tenantId}/s/{storeId}/{kind}/{id}`. Tenant and store ids contain no slash, so a
 * key stays unambiguous even though an item id may contain slashes.
 */

export const tenantKey = (tenantId: string): string => `t/${tenantId}`;
export const storeKey = (tenantId: string, storeId: string): string => `t/${tenantId}/s/${storeId}`;

export const itemKey = (store: string, itemId: string): string => `${store}/items/${itemId}`;
export const labelKey = (store: string, barcode: string): string => `${store}/labels/${barcode}`;
export const sicKey = (store: string, sic: string): string => `${store}/sics/${sic}`;
export const linkKey = (store: string, linkId: string): string => `${store}/links/${linkId}`;
export const flashSequenceKey = (store: string, id: string): string => `${store}/flashsequences/${id}`;
export const workMarkKey = (store: string, barcode: string): string => `${store}/workmarks/${barcode}`;
export const switchKey = (store: string, switchId: string): string => `${store}/switches/${switchId}`;
export const priceListKey = (store: string, listId: string): string => `${store}/pricelists/${listId}`;
/** The items that one part of a price list's request changes. */
export const priceListPartKey = (store: string, listId: string, number: number, part: number): string =>
  `${priceListPartsUnder(store, listId)}${number}/${part}`;
export const priceListPartsUnder = (store: string, listId: string): string => `${store}/pricelistparts/${listId}/`;
export const uploadKey = (store: string, sha256: string): string => `${store}/uploads/${sha256}`;
export const chunkKey = (store: string, number: number, index: number): string =>
  `${store}/requests/${number}/${index}`;

/** An entry of a store's or tenant's activity log; keys sort by place. */
export const activityKey = (owner: string, place: number): string =>
  `${owner}/activity/${String(place).padStart(PLACE_DIGITS, "0")}`;
const PLACE_DIGITS = 12;
/** The end of an owner's activity log. */
export const activityEndKey = (owner: string): string => `${owner}/activityend`;
/** A call that is recorded in the activity log once it has ended. */
export const callNoteKey = (owner: string, at: Date, id: string): string =>
  `${owner}/callnotes/${at.toISOString()}-${id}`;

/**
 * Counter for drawings of a store's page images. They have their own numbers, so that no request of the store waits for them.
 */
export const pageDrawingsKey = (store: string): string => `${store}/pagedrawings`;

/** A worker's walk over the records of a tenant or store: there is one per worker and tenant or store. */
export const walkKey = (owner: string, worker: "evaluator" | "renderer"): string => `${owner}/walks/${worker}`;

/** A call with an Idempotency-Key; the digest covers the caller and the key. */
export const callKey = (store: string, digest: string): string => `${store}/calls/${digest}`;

export const designKey = (tenant: string, id: string): string => `${tenant}/designs/${id}`;
export const canvasDesignKey = (tenant: string, id: string): string => `${tenant}/canvasdesigns/${id}`;
export const assetKey = (tenant: string, type: AssetType, name: string): string => `${tenant}/assets/${type}s/${name}`;
export const communicationPackKey = (tenant: string, id: string): string => `${tenant}/communicationpacks/${id}`;
export const labelTypeKey = (tenant: string, type: number | string): string => `${tenant}/labeltypes/${type}`;
export const labelServerKey = (tenant: string, id: string): string => `${tenant}/labelservers/${id}`;
export const modelKey = (tenant: string, name: string): string => `${tenant}/models/${name}`;
export const subscriptionKey = (tenant: string, id: string): string => `${tenant}/subscriptions/${id}`;
export const imageFileKey = (tenant: string, sha256: string): string => `${tenant}/images/${sha256}`;
/** The draft of a tenant's pack, design or canvas design, by the original's key. */
export const draftKey = (key: string): string => `${tenantOf(key)}/drafts${key.slice(tenantOf(key).length)}`;
/** A version of a tenant's pack, design or canvas design, by the original's key; keys sort by number. */
export const versionKey = (key: string, number: number): string =>
  `${versionsUnder(key)}${String(number).padStart(VERSION_DIGITS, "0")}`;
export const versionsUnder = (key: string): string => `${tenantOf(key)}/versions${key.slice(tenantOf(key).length)}/`;
const VERSION_DIGITS = 9;
export const publicationKey = (tenant: string, id: string): string => `${tenant}/publications/${id}`;
/** The new content of a pack, design or canvas design in a publication, by the keys of both. */
export const publicationContentKey = (publication: string, key: string): string =>
  `${tenantOf(publication)}/publicationcontents/${idOf(publication)}${key.slice(tenantOf(key).length)}`;
/** The key of the publication to which such content belongs. */
export const publicationOfContent = (key: string): string =>
  publicationKey(tenantOf(key), key.slice(`${tenantOf(key)}/publicationcontents/`.length).split("/")[0] ?? "");
export const campaignKey = (tenant: string, id: string): string => `${tenant}/campaigns/${id}`;
/** A campaign's part in one store. */
export const campaignPartKey = (store: string, id: string): string => `${store}/campaignparts/${id}`;
/** The copy of a pack, design or canvas design that a publication's canary shows. No caller can use such an id. */
export const canaryKey = (key: string, publication: string): string => `${key}~${idOf(publication)}`;
export const isCanaryCopy = (key: string): boolean => idOf(key).includes("~");
/** Returns the key of a copy's original; any other key is returned unchanged. */
export const originalOf = (key: string): string => key.split("~")[0] ?? key;
/**
 * The revocations of a subject's tokens and sessions. A subject may contain any character: nothing parses it out of the key. A
 * person from the identity provider and a user may have the same name, so their revocations have different keys.
 */
export const revocationKey = (tenant: string, subject: string, whose: "token" | "person" = "token"): string =>
  `${tenant}/${whose === "person" ? "person-revocations" : "revocations"}/${subject}`;
/** The notifications of a person. The digest of the person's identity keeps names out of links in e-mails. */
export const notificationKey = (tenant: string, digest: string): string => `${tenant}/notifications/${digest}`;
/** An API user. It is outside all tenants' key spaces because user names are unique across all tenants. */
export const apiUserKey = (name: string): string => `u/${name}`;

/** Id of the link at a label's display position. A position has at most one link, so the link's id is derived. */
export const linkIdOf = (barcode: string, displayPosition: number): string => `${barcode}-${displayPosition}`;

/** Returns the label and the position in a link's id; undefined if the string is not a link id. */
export function partsOfLinkId(linkId: string): { barcode: string; displayPosition: number } | undefined {
  const [, barcode, position] = /^(.+)-(0|[1-9]\d{0,2})$/s.exec(linkId) ?? [];
  const displayPosition = Number(position);
  return barcode !== undefined && displayPosition <= LAST_POSITION ? { barcode, displayPosition } : undefined;
}

/** Id of a store-level link, which has no label: it contains the item's id. */
export const storeLinkIdOf = (itemId: string): string => `${STORE_LINK}${itemId}`;

/** Returns the item in a store-level link's id; undefined for the id of a label's link. */
export const itemOfStoreLink = (linkId: string): string | undefined =>
  linkId.startsWith(STORE_LINK) ? linkId.slice(STORE_LINK.length) : undefined;

const STORE_LINK = "item:";
const LAST_POSITION = 255;

/** Returns the full key of a design, given its id or full key; undefined if it belongs to another tenant. */
export const fullDesignKey = (tenant: string, id: string): string | undefined => fullKey(designKey(tenant, ""), id);

/** Returns the full key of a canvas design, given its id or full key; undefined if it belongs to another tenant. */
export const fullCanvasDesignKey = (tenant: string, id: string): string | undefined =>
  fullKey(canvasDesignKey(tenant, ""), id);

function fullKey(own: string, id: string): string | undefined {
  if (!id.startsWith("t/")) return `${own}${id}`;
  return id.startsWith(own) ? id : undefined;
}

/** Returns the `t/{tenantId}` of any key. */
export function tenantOf(key: string): string {
  const end = key.indexOf("/", 2);
  return end < 0 ? key : key.slice(0, end);
}

/** Returns the `t/{tenantId}/s/{storeId}` of a key inside a store, or of the store's own key. Throws for any other key. */
export function storeOf(key: string): string {
  const start = key.indexOf("/s/", 2);
  if (start < 0) throw new Error(`"${key}" is not a key inside a store`);
  const end = key.indexOf("/", start + 3);
  return end < 0 ? key : key.slice(0, end);
}

/** Returns the key of the store to which a key belongs. If it belongs to no store, returns its tenant's key. */
export const ownerOf = (key: string): string => (key.startsWith(`${tenantOf(key)}/s/`) ? storeOf(key) : tenantOf(key));

/** Returns the id at the end of a key: everything after the segment that names the kind. */
export const idOf = (key: string): string => key.slice(key.indexOf("/", ownerOf(key).length + 1) + 1);

/** Whether a key is a store's own key. */
export const isStoreKey = (key: string): boolean => /^t\/[^/]+\/s\/[^/]+$/.test(key);

/** The id in a tenant's key. */
export const tenantIdOf = (tenant: string): string => tenant.slice(tenantKey("").length);

/** The tenant id and the store id in a store's key. */
export function storeIds(store: string): { tenantId: string; storeId: string } {
  const [, tenantId = "", , storeId = ""] = store.split("/");
  return { tenantId, storeId };
}

/** The key of the item that a record of the same store names. */
export const itemNamedBy = ({ _id, itemId }: { _id: string; itemId: string }): string => itemKey(ownerOf(_id), itemId);

/** The label's key and the position, both taken from a link's key. */
export function labelOfLink(link: string): { label: string; displayPosition: number } {
  const id = idOf(link);
  const dash = id.lastIndexOf("-");
  return { label: labelKey(storeOf(link), id.slice(0, dash)), displayPosition: Number(id.slice(dash + 1)) };
}

/**
 * Returns the bounds of `_id` for all keys under a prefix that ends with a slash, as `{$gte, $lt}` for a range read. The upper
 * bound ends in "0", the character after the slash in ASCII. Throws for a prefix without the slash.
 */
export function keysUnder(prefix: string): { $gte: string; $lt: string } {
  if (!prefix.endsWith("/")) throw new Error(`"${prefix}" is not a key prefix: it must end with a slash`);
  return { $gte: prefix, $lt: `${prefix.slice(0, -1)}0` };
}

/** Bounds of `_id` for the keys of all tenants. */
export const EVERY_KEY = keysUnder("t/");
