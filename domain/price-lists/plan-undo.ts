import { exists, type Item } from "../../schemas/item.ts";
import type { ListedItem, UndoRow } from "../../schemas/price-list.ts";
import { LAST_STAMP, numberOf, stampOf } from "../../schemas/stamp.ts";
import { regularOf } from "../campaigns/offers.ts";
import { undoList } from "../items/undo-list.ts";

/** A listed item in its current state, and whether the list still has a scheduled change for it. */
export interface ListedNow {
  listed: ListedItem;
  item: Item | undefined;
  isScheduled: boolean;
}

/**
 * Returns the rows that undo a list: one for each of its items, so that the result names the items that have changed since.
 * None if nothing of the list is left to undo. Guards check the regular prices to which the items return, no matter what a
 * campaign shows. `requests` are the numbers of the list's requests.
 */
export function planUndo(list: string, requests: readonly number[], items: readonly ListedNow[]): UndoRow[] {
  const own = new Set(requests);
  const first = Math.min(...requests);
  let isAny = false;
  const rows = items.map(({ listed: [itemId, , price], item, isScheduled }): UndoRow => {
    const undone = item && exists(item) ? undoList(item, list, LAST_STAMP, first) : undefined;
    isAny ||= isScheduled || (undone !== undefined && undone.item !== item);
    const restored = undone?.restored.includes("price") ? regularOf(undone.item).price : undefined;
    return {
      itemId,
      ...{ list, first },
      ...(restored !== undefined && { price: restored }),
      ...(price !== null && { sets: true as const }),
      ...(item && own.has(numberOf(item.created)) && { created: true as const }),
    };
  });
  return isAny ? rows : [];
}

/**
 * Returns each item of a list once, with its price before the first row that changes it and its price after the last one.
 * `parts` are by the key of their record, in any order.
 */
export function joinListed(parts: ReadonlyMap<string, readonly ListedItem[]>): ListedItem[] {
  const inOrder = [...parts].sort(([one], [other]) => placeOf(one) - placeOf(other));
  const joined = new Map<string, ListedItem>();
  for (const [, part] of inOrder)
    for (const listed of part) {
      const [itemId, , price] = listed;
      const known = joined.get(itemId);
      joined.set(itemId, known === undefined ? listed : [itemId, known[1], price ?? known[2]]);
    }
  return [...joined.values()];
}

/** Orders parts by requests and rows. As strings, request 10 would come before request 9. */
function placeOf(partKey: string): number {
  const [number = 0, part = 0] = partKey.split("/").slice(-2).map(Number);
  return stampOf(number, part);
}
