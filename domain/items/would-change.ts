import { isDeepStrictEqual } from "node:util";
import { exists, type Item, type ItemPatch, itemTexts } from "../../schemas/item.ts";
import { LAST_STAMP } from "../../schemas/stamp.ts";
import { mergeItem } from "./merge-item.ts";

/**
 * Whether a row would change a value of an item, or its stamp: a row that is not the latest gives a new stamp even to values that
 * it does not change. True for a row whose item does not exist.
 */
export function changesItem(current: Item | undefined, patch: ItemPatch, isLatest = true): boolean {
  if (current === undefined || !exists(current)) return true;
  const { stamps, properties } = mergeItem(current, patch, LAST_STAMP, isLatest);
  return !isDeepStrictEqual([stamps, properties], [current.stamps, current.properties]);
}

/**
 * Whether a row would change what labels show about an item now. During a campaign, a row may change only what is shown after the
 * campaign.
 */
export function changesShown(current: Item | undefined, patch: ItemPatch): boolean {
  if (current === undefined || !exists(current)) return true;
  return !isDeepStrictEqual(shownOf(mergeItem(current, patch, LAST_STAMP, true)), shownOf(current));
}

const shownOf = (item: Item) => ({
  texts: itemTexts.map((field) => item[field]),
  sics: item.sics,
  properties: new Map(item.properties.map(({ key, value }) => [key, value])),
});
