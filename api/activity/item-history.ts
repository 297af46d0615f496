import { Type } from "typebox";
import { matchingRows } from "../../domain/activity/matching-rows.ts";
import { type PricedEvent, priceLine } from "../../domain/activity/price-line.ts";
import { instantOfStoreTime } from "../../domain/times/store-time.ts";
import type { ActivityLog } from "../../records/activity/activity-log.ts";
import { type ActivityEntry, type ActivityRow, type ItemEvent, ItemHistory } from "../../schemas/activity.ts";
import { pageLimit } from "../../schemas/paging.ts";
import { route } from "../http/route.ts";
import { ItemPath, noItem } from "../items/items.ts";

export interface ItemHistoryWorld {
  activityLog: Pick<ActivityLog, "find">;
  readItem(store: string, itemId: string): Promise<object | undefined>;
}

const DEFAULT_LIMIT = 100;

/** An item's prices and events (docs/integrators/activity.md#the-history-of-an-item). */
export const itemHistory = ({ activityLog, readItem }: ItemHistoryWorld) => [
  route({
    method: "GET",
    path: "/items/:itemId/history",
    operationId: "getItemHistory",
    summary: "List an item's prices, each with the time when it took effect, and the changes sent for it",
    description:
      "Reaches back as far as the activity log, and appears within half a minute. Who made a change is shown only to tokens with the scope " +
      "`activity:read`. The history of a deleted item is available for as long as the log keeps it.",
    scope: "items:read",
    params: ItemPath,
    query: Type.Object({ limit: Type.Optional(pageLimit(500)) }),
    answers: { 200: ItemHistory },
    problems: ["not-found"],
    async handle({ store, settings, permit, params: { itemId }, query: { limit = DEFAULT_LIMIT } }) {
      const found = (await Array.fromAsync(activityLog.find({ owner: { store }, item: itemId }, limit + 1))).flat();
      if (found.length === 0 && (await readItem(store, itemId)) === undefined) throw noItem(itemId);
      const mayNameActors = permit.scopes.has("activity:read");
      const events = found.slice(0, limit).flatMap((entry) => eventsOf(entry, itemId, settings.timeZone));
      const prices = priceLine(events.toReversed());
      const shown = events.map(({ dueAt: _, ...event }) => (mayNameActors ? event : { ...event, actor: null }));
      return {
        status: 200,
        body: { itemId, prices, events: shown, isCut: found.length > limit } satisfies ItemHistory,
      };
    },
  }),
];

/** The entry's rows about the item, the last one first. */
function eventsOf(entry: ActivityEntry, item: string, timeZone: string): (ItemEvent & PricedEvent)[] {
  const rows = matchingRows(entry, { item });
  return (rows.length > 0 ? rows : [{}]).toReversed().map((row: ActivityRow) => ({
    ...eventOf(entry, row),
    ...(row.validFrom !== undefined && { dueAt: new Date(instantOfStoreTime(row.validFrom, timeZone)).toISOString() }),
    ...(row.campaign !== undefined && { campaign: row.campaign }),
    ...(row.ends && { ends: row.ends }),
  }));
}

function eventOf(entry: ActivityEntry, { price, validFrom, fields, failed }: ActivityRow): ItemEvent {
  return {
    at: entry.at,
    operation: entry.operation,
    requestId: entry.request ?? null,
    actor: entry.actor ?? null,
    price: price ?? null,
    validFrom: validFrom ?? null,
    fields: fields ?? [],
    failed: entry.status === "HELD" ? "HELD" : (failed ?? null),
  };
}
