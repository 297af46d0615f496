import { failure, success } from "../../../domain/items/outcome.ts";
import type { StampedRow } from "../../../queues/requests/stamped-rows.ts";
import { cancelRequest, enterUpdate } from "../../../records/requests/scheduled-updates.ts";
import type { CampaignRow } from "../../../schemas/campaign-row.ts";
import type { ItemPatch } from "../../../schemas/item.ts";
import type { Outcome } from "../../../schemas/request.ts";
import { type RowNotice, rowNotice } from "../../../schemas/row-notice.ts";
import type { Schedule, ScheduledUpdate } from "../../../schemas/schedule.ts";
import { numberOf } from "../../../schemas/stamp.ts";
import type { Urgency } from "../../../schemas/urgency.ts";
import type { ItemWorld } from "../world.ts";

/** A row and the time at which it takes effect; campaign rows are marked. */
export interface DatedRow extends StampedRow<ItemPatch | CampaignRow>, Pick<ScheduledUpdate, "campaign" | "ends"> {
  due: Date;
}

/**
 * Adds rows to the schedules of their items. Returns one outcome per row: SUCCESS once the row is stored. A row of a held request
 * is refused if its item has been deleted since.
 */
export const createEnterRows = (world: Pick<ItemWorld, "changeSchedules" | "readItems">) => {
  const { changeSchedules } = world;
  return async (store: string, rows: readonly DatedRow[], urgency: Urgency): Promise<Outcome[][]> => {
    const byItem = Map.groupBy(rows, ({ row }) => row.itemId);
    const refused = new Map<DatedRow, RowNotice>();
    const decide = (itemId: string, current: Schedule | undefined) => {
      let schedule = current;
      for (const row of byItem.get(itemId) ?? []) {
        const { due, stamp, list, campaign, ends } = row;
        const marks = {
          ...(list && { list }),
          ...(campaign !== undefined && { campaign }),
          ...(ends && { ends }),
        };
        const entered = enterUpdate(schedule, itemId, { due, stamp, ...marks, patch: JSON.stringify(row.row) });
        if ("code" in entered) refused.set(row, entered);
        else {
          refused.delete(row);
          schedule = entered;
        }
      }
      return schedule;
    };
    if (rows.length > 0) await changeSchedules(store, [...byItem.keys()], decide, urgency);
    for (const row of await cancelDeleted(world, store, rows, urgency))
      refused.set(row, rowNotice("UPDATE_OVERTAKEN", {}));
    return rows.map((row) => {
      const notice = refused.get(row);
      return [notice === undefined ? success(row.row.itemId, false) : failure(row.row.itemId, notice)];
    });
  };
};

/**
 * Cancels rows that were scheduled although a later request has deleted their item, and returns these rows. The items are read
 * after the rows are scheduled, so either the deletion cancels the rows, or they are found here. Ends of campaigns stay
 * (`enterUpdate`).
 */
async function cancelDeleted(
  { changeSchedules, readItems }: Pick<ItemWorld, "changeSchedules" | "readItems">,
  store: string,
  rows: readonly DatedRow[],
  urgency: Urgency,
): Promise<DatedRow[]> {
  if (rows.length === 0) return [];
  const itemIds = [...new Set(rows.map(({ row }) => row.itemId))];
  const floors = new Map(
    [...(await readItems(store, itemIds)).values()].map(({ itemId, floor = 0 }) => [itemId, floor]),
  );
  const overtaken = rows.filter(({ row, stamp, ends }) => !ends && stamp < (floors.get(row.itemId) ?? 0));
  const byItem = Map.groupBy(overtaken, ({ row }) => row.itemId);
  const decide = (itemId: string, current: Schedule | undefined) => {
    const numbers = new Set((byItem.get(itemId) ?? []).map(({ stamp }) => numberOf(stamp)));
    const cancel = (schedule: Schedule, number: number) =>
      cancelRequest(schedule, number, floors.get(itemId) ?? 0) ?? schedule;
    return current && [...numbers].reduce(cancel, current);
  };
  if (overtaken.length > 0) await changeSchedules(store, [...byItem.keys()], decide, urgency);
  return overtaken;
}
