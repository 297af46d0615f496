import { Type } from "typebox";
import { type Item, ItemId } from "../../schemas/item.ts";
import { SerializeDates } from "../../schemas/paging.ts";
import type { Stored } from "../../schemas/record.ts";
import { Receipt } from "../../schemas/request.ts";
import { type Schedule, ScheduledUpdateAnswer } from "../../schemas/schedule.ts";
import { route } from "../http/route.ts";
import type { AcceptRows } from "../requests/accept-rows.ts";
import { RequestIdText } from "../requests/results.ts";
import { scheduledAnswer } from "./item-answer.ts";
import { ItemPath, noItem } from "./items.ts";

export interface ItemScheduleWorld {
  acceptRows: AcceptRows;
  readItem(store: string, itemId: string): Promise<Stored<Item> | undefined>;
  readSchedule(store: string, itemId: string): Promise<Schedule | undefined>;
}

/** Operations on an item's scheduled updates (docs/integrators/items.md#scheduled-updates). */
export const itemSchedule = ({ acceptRows, readItem, readSchedule }: ItemScheduleWorld) => [
  route({
    method: "GET",
    path: "/items/:itemId/scheduled",
    operationId: "listScheduledUpdates",
    summary: "List the scheduled updates of an item, in the order in which they take effect",
    scope: "items:read",
    params: ItemPath,
    query: Type.Object({ serializeDatesToIso8601: Type.Optional(SerializeDates("a local `validFrom`")) }),
    answers: { 200: Type.Array(ScheduledUpdateAnswer) },
    problems: ["not-found"],
    handle: async ({ store, settings, params: { itemId }, query: { serializeDatesToIso8601: isIso = false } }) => {
      const schedule = await readSchedule(store, itemId);
      if (schedule?.updates.length) return { status: 200, body: scheduledAnswer(schedule, settings.timeZone, isIso) };
      if ((await readItem(store, itemId)) === undefined) throw noItem(itemId);
      return { status: 200, body: [] };
    },
  }),

  route({
    method: "DELETE",
    path: "/items/:itemId/scheduled/:requestId",
    operationId: "cancelScheduledUpdate",
    summary: "Cancel what one request scheduled for an item, and keep the other updates",
    description:
      "The `requestId` is shown with the update in the list. Updates that have already taken effect are not undone. The row is `ITEM_NOT_FOUND` " +
      "if nothing was ever scheduled for the item.",
    scope: "items:write",
    params: Type.Object({ itemId: ItemId, requestId: RequestIdText }),
    answers: { 202: Receipt },
    handle: async ({ store, params: { itemId, requestId } }) => {
      const rows = [{ itemId, requestId: Number(requestId) }];
      return {
        status: 202,
        body: { requestId: await acceptRows({ store, operation: "cancel-scheduled", rows, ordered: true }) },
      };
    },
  }),
];
