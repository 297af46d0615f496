import { Type } from "typebox";
import type { Stored } from "../../records/kind.ts";
import type { Item } from "../../schemas/item.ts";
import { type Schedule, ScheduledUpdateAnswer } from "../../schemas/schedule.ts";
import { route } from "../http/route.ts";
import { scheduledAnswer } from "./item-answer.ts";
import { ItemPath, noItem } from "./items.ts";

export interface ItemScheduleWorld {
  readItem(store: string, itemId: string): Promise<Stored<Item> | undefined>;
  readSchedule(store: string, itemId: string): Promise<Schedule | undefined>;
}

/** Scheduled updates of an item (docs/integrators.md#updates-that-are-scheduled). */
export const itemSchedule = ({ readItem, readSchedule }: ItemScheduleWorld) => [
  route({
    method: "GET",
    path: "/items/:itemId/scheduled",
    operationId: "listScheduledUpdates",
    summary: "The scheduled updates of an item, in the order in which they take effect",
    scope: "items:read",
    params: ItemPath,
    answers: { 200: Type.Array(ScheduledUpdateAnswer) },
    problems: ["not-found"],
    handle: async ({ store, settings, params: { itemId } }) => {
      const schedule = await readSchedule(store, itemId);
      if (schedule?.updates.length) return { status: 200, body: scheduledAnswer(schedule, settings.timeZone) };
      if ((await readItem(store, itemId)) === undefined) throw noItem(itemId);
      return { status: 200, body: [] };
    },
  }),
];
