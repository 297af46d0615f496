import { mergeItem } from "../../../domain/items/merge-item.ts";
import { removePage, setPages } from "../../../domain/items/merge-pages.ts";
import { notFound, success } from "../../../domain/items/outcome.ts";
import type { ApplyJournaledRows, ApplyRows, JournaledRow } from "../../../queues/requests/stamped-rows.ts";
import { exists, type Item } from "../../../schemas/item.ts";
import { itemKey } from "../../../schemas/keys.ts";
import type { PageRow } from "../../../schemas/page-image.ts";
import type { KeptOutcome } from "../../../schemas/request.ts";
import type { Urgency } from "../../../schemas/urgency.ts";
import type { ItemWorld } from "../world.ts";

type World = Pick<ItemWorld, "readItems" | "changeItems" | "changePages" | "orderDrawing" | "mustExist">;

/**
 * Accepts page image uploads when it is their turn: creates the item if the store allows it, and orders the drawing, which
 * decides the row's outcome. The drawing takes seconds, but no later request waits for it. Each row is one upload. Rows are
 * applied one by one, because a row may create its item.
 */
export function createSetPages(world: World): ApplyJournaledRows<PageRow> {
  const { readItems, changeItems, changePages, orderDrawing, mustExist } = world;

  async function setPage(store: string, journaled: JournaledRow<PageRow>, urgency: Urgency): Promise<KeptOutcome> {
    const { row, stamp, chunk } = journaled;
    const { itemId } = row;
    const item = (await readItems(store, [itemId])).get(itemKey(store, itemId));
    const isThere = item !== undefined && exists(item);
    if (!isThere && (await mustExist(store))) return { ...notFound(itemId), status: "ERROR" };
    let isNewItem = false;
    const made = (_: string, current: Item | undefined) => {
      const next = current && exists(current) ? current : mergeItem(current, { itemId }, stamp, true);
      isNewItem = next.created === stamp;
      return next;
    };
    await changeItems(store, [itemId], made, urgency);
    // If the image is removed, or the item deleted, before the drawing has ended, this record keeps the stamp.
    await changePages(store, [itemId], (_, current) => setPages(current, itemId, []), urgency);
    return orderDrawing({ store, parent: chunk._id, row: { ...row, stamp, isNewItem }, urgency });
  }

  return async (store, rows, urgency) => {
    const outcomes: KeptOutcome[][] = [];
    for (const row of rows) outcomes.push([await setPage(store, row, urgency)]);
    return outcomes;
  };
}

/** Removes page images, so that labels show the drawn picture again. Succeeds for a page without an image. */
export const createRemovePages =
  ({ readItems, changePages }: World): ApplyRows<{ itemId: string; page: number }> =>
  async (store, rows, urgency) => {
    const itemIds = [...new Set(rows.map(({ row }) => row.itemId))];
    const present = await readItems(store, itemIds);
    const known = new Set([...present.values()].filter(exists).map(({ itemId }) => itemId));
    for (const { row, stamp } of rows) {
      const { itemId, page } = row;
      await changePages(store, [itemId], (_, current) => current && removePage(current, page, stamp), urgency);
    }
    return rows.map(({ row: { itemId } }) => [known.has(itemId) ? success(itemId, false) : notFound(itemId)]);
  };
