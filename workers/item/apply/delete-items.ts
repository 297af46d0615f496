import { deleteItem } from "../../../domain/items/merge-item.ts";
import { clearPages } from "../../../domain/items/merge-pages.ts";
import { notFound, sicNotFound, success } from "../../../domain/items/outcome.ts";
import { removeProperty, removeSic } from "../../../domain/items/remove-parts.ts";
import { keepPrice } from "../../../domain/prices/keep-price.ts";
import type { ApplyRows, JournaledRow } from "../../../queues/requests/stamped-rows.ts";
import { cancelBelow } from "../../../records/requests/scheduled-updates.ts";
import type { Item } from "../../../schemas/item.ts";
import type { ItemPages } from "../../../schemas/page-image.ts";
import type { Schedule } from "../../../schemas/schedule.ts";
import type { FreedSics, ItemWorld } from "../world.ts";
import { freedSics } from "./patch-items.ts";

type World = Pick<
  ItemWorld,
  "readItems" | "changeItems" | "changeSchedules" | "changePages" | "releaseSics" | "ownersOf"
>;

/** Deletes items with their SIC assignments, page images and scheduled updates. */
export const createDeleteItems =
  ({
    readItems,
    changeItems,
    changeSchedules,
    changePages,
    releaseSics,
  }: World): ApplyRows<{ itemId: string }, JournaledRow<{ itemId: string }>> =>
  async (store, rows, urgency) => {
    // If an item occurs twice, the first row deletes the item and the second does not find it.
    const stamps = new Map(rows.toReversed().map(({ row, stamp }) => [row.itemId, stamp]));
    const times = new Map(rows.toReversed().map(({ row, acceptedAt }) => [row.itemId, acceptedAt.getTime()]));
    const deleted = new Map<string, FreedSics>();
    const decide = (itemId: string, current: Item | undefined) => {
      const stamp = stamps.get(itemId) ?? 0;
      const rest = deleteItem(current, stamp);
      const item =
        rest && rest !== current ? keepPrice(current, rest, { at: times.get(itemId) ?? 0, rules: {} }) : rest;
      if (item !== undefined) deleted.set(itemId, { sics: freedSics(current, item), stamp });
      return item;
    };
    await changeItems(store, [...stamps.keys()], decide, urgency, await readItems(store, [...stamps.keys()]));
    await releaseSics(store, deleted);
    const cancelled = (itemId: string, current: Schedule | undefined) =>
      current && cancelBelow(current, stamps.get(itemId) ?? 0);
    await changeSchedules(store, [...stamps.keys()], cancelled, urgency);
    const cleared = (itemId: string, current: ItemPages | undefined) =>
      current && clearPages(current, stamps.get(itemId) ?? 0);
    await changePages(store, [...stamps.keys()], cleared, urgency);
    return rows.map(({ row: { itemId }, stamp }) => {
      const isGone = deleted.has(itemId) && stamps.get(itemId) === stamp;
      return [isGone ? success(itemId, false) : notFound(itemId)];
    });
  };

/**
 * Removes codes from the items that list them. The assignments stay: an assignment counts only while its item lists the code, and
 * a row that is applied again still finds the item from which it removed the code.
 */
export const createRemoveSics =
  ({ ownersOf, changeItems }: World): ApplyRows<{ sic: string }> =>
  async (store, rows, urgency) => {
    const owners = await ownersOf(
      store,
      rows.map(({ row }) => row.sic),
    );
    const byItem = Map.groupBy(
      rows.filter(({ row }) => owners.has(row.sic)),
      ({ row }) => owners.get(row.sic) ?? "",
    );
    const removed = new Set<number>();
    const decide = (itemId: string, current: Item | undefined) => {
      let item = current;
      for (const { row, stamp } of byItem.get(itemId) ?? []) {
        const without = removeSic(item, row.sic, stamp);
        if (without === undefined) removed.delete(stamp);
        else removed.add(stamp);
        item = without ?? item;
      }
      return item;
    };
    await changeItems(store, [...byItem.keys()], decide, urgency);
    return rows.map(({ row: { sic }, stamp }) => {
      const itemId = owners.get(sic);
      return [itemId !== undefined && removed.has(stamp) ? { ...success(itemId, false), sic } : sicNotFound(sic)];
    });
  };

/** Removes properties from items. Succeeds for a property that the item does not have. */
export const createRemoveProperties =
  ({ changeItems }: World): ApplyRows<{ itemId: string; property: string }> =>
  async (store, rows, urgency) => {
    const byItem = Map.groupBy(rows, ({ row }) => row.itemId);
    const known = new Set<string>();
    const decide = (itemId: string, current: Item | undefined) => {
      let item = current;
      for (const { row, stamp } of byItem.get(itemId) ?? []) item = removeProperty(item, row.property, stamp);
      if (item === undefined) known.delete(itemId);
      else known.add(itemId);
      return item;
    };
    await changeItems(store, [...byItem.keys()], decide, urgency);
    return rows.map(({ row: { itemId } }) => [known.has(itemId) ? success(itemId, false) : notFound(itemId)]);
  };
