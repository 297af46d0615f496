import { failure, notFound, success } from "../../../domain/items/outcome.ts";
import type { ApplyRows, JournaledRow } from "../../../queues/requests/stamped-rows.ts";
import {
  assignStamps,
  cancelRequest,
  dueUpdates,
  finishUpdates,
  inOrder,
  rankUpdates,
} from "../../../records/requests/scheduled-updates.ts";
import { bisect } from "../../../runtime/batch/bisect.ts";
import type { CampaignRow } from "../../../schemas/campaign-row.ts";
import { inBatches } from "../../../schemas/in-batches.ts";
import type { ItemPatch } from "../../../schemas/item.ts";
import type { Outcome } from "../../../schemas/request.ts";
import { rowNotice } from "../../../schemas/row-notice.ts";
import type { ApplyScheduled, Schedule, ScheduledUpdate } from "../../../schemas/schedule.ts";
import { numberOf } from "../../../schemas/stamp.ts";
import type { Urgency } from "../../../schemas/urgency.ts";
import type { ItemWorld } from "../world.ts";
import type { DatedCampaignRow } from "./campaign-items.ts";
import type { DatedPatch } from "./patch-items.ts";

/** A row that cancels the updates that a request scheduled for an item. */
interface CancelRow {
  itemId: string;
  requestId: number;
}

/**
 * Cancels updates that requests scheduled for items. Succeeds if the updates no longer exist; fails for an item without a
 * schedule.
 */
export const createCancelScheduled =
  ({ changeSchedules, readSchedules }: Pick<ItemWorld, "changeSchedules" | "readSchedules">): ApplyRows<CancelRow> =>
  async (store, rows, urgency) => {
    const byItem = Map.groupBy(rows, ({ row }) => row.itemId);
    const decide = (itemId: string, current: Schedule | undefined) => {
      let schedule = current;
      for (const { row, stamp } of byItem.get(itemId) ?? [])
        schedule = (schedule && cancelRequest(schedule, row.requestId, stamp)) ?? schedule;
      return schedule;
    };
    await changeSchedules(store, [...byItem.keys()], decide, urgency);
    const known = new Set([...(await readSchedules(store, [...byItem.keys()])).values()].map(({ itemId }) => itemId));
    return rows.map(({ row: { itemId } }) => [known.has(itemId) ? success(itemId, false) : notFound(itemId)]);
  };

interface ApplyDependencies
  extends Pick<
    ItemWorld,
    | "admit"
    | "closeUncommitted"
    | "changeSchedules"
    | "readSchedules"
    | "readListFirsts"
    | "findDue"
    | "isUnavailable"
    | "onScheduleFailed"
    | "now"
  > {
  mergeRows: ApplyRows<ItemPatch, DatedPatch>;
  mergeCampaigns: ApplyRows<CampaignRow, DatedCampaignRow>;
}

/** A request that applies due updates. */
interface Turn {
  number: number;
  acceptedAt: Date;
}

/** A due update, and its rank among all updates that the request applies. */
interface Due extends Pick<ScheduledUpdate, "due" | "stamp"> {
  itemId: string;
  index: number;
}

const UPDATES_PER_BATCH = 4_000;

/**
 * Applies a store's due updates in order, as the newest writes; the row names the time up to which updates apply. All updates are
 * assigned stamps in this order; then each is merged like a row of the request, and removed. If the process is killed in between,
 * the step is repeated under the same stamps. A failed update is stored with its errors and does not block later ones.
 */
export function createApplyScheduled(
  dependencies: ApplyDependencies,
): ApplyRows<ApplyScheduled, JournaledRow<ApplyScheduled>> {
  const { admit, closeUncommitted, changeSchedules, readSchedules, readListFirsts, findDue, isUnavailable } =
    dependencies;
  const { onScheduleFailed, now } = dependencies;

  /** Assigns stamps with this request number to these updates. */
  async function assign(store: string, batch: readonly Due[], number: number, urgency: Urgency) {
    const byItem = Map.groupBy(batch, ({ itemId }) => itemId);
    const assigned = (itemId: string, current: Schedule | undefined) => {
      const indexes = new Map((byItem.get(itemId) ?? []).map(({ stamp, index }) => [stamp, index]));
      return current && assignStamps(current, indexes, number);
    };
    await changeSchedules(store, [...byItem.keys()], assigned, urgency);
  }

  /** Reads updates that have stamps with this request number; returns them as rows. */
  async function readAssigned(store: string, batch: readonly Due[], number: number) {
    const itemIds = [...new Set(batch.map(({ itemId }) => itemId))];
    const present = new Map(
      [...(await readSchedules(store, itemIds)).values()].map((schedule) => [schedule.itemId, schedule]),
    );
    const lists = new Set([...present.values()].flatMap(({ updates }) => updates.flatMap(({ list }) => list ?? [])));
    const firsts = lists.size === 0 ? undefined : await readListFirsts(store, [...lists]);
    return batch.flatMap(({ itemId, stamp, due }) => {
      const update = present.get(itemId)?.updates.find((candidate) => candidate.stamp === stamp);
      const { appliedAs = 0, patch = "", list, campaign } = update ?? {};
      if (update?.failed || numberOf(appliedAs) !== number) return [];
      const row = JSON.parse(patch) as ItemPatch & CampaignRow;
      const first = list === undefined ? undefined : firsts?.get(list);
      // The update cannot be undone, because its list's id was reused after the list had been forgotten.
      const isForgotten = first !== undefined && numberOf(stamp) < first;
      return [{ entered: stamp, stamp: appliedAs, row, campaign, due, first, list: isForgotten ? undefined : list }];
    });
  }

  async function apply(store: string, batch: readonly Due[], { number, acceptedAt }: Turn, urgency: Urgency) {
    const assigned = await readAssigned(store, batch, number);
    const rows = assigned.map((row) => ({ ...row, acceptedAt }));
    const outcomes = new Map<(typeof rows)[number], Outcome>();
    const mergeAll = async (apply: ApplyRows<ItemPatch & CampaignRow, (typeof rows)[number]>, group: typeof rows) => {
      if (group.length === 0) return;
      const merged = await apply(store, group, urgency);
      for (const [index, row] of group.entries()) outcomes.set(row, merged[index]?.[0] ?? failure(row.row.itemId));
    };
    // Campaign values take precedence over an item's other values, so the order of item rows and campaign rows does not matter
    // once the item exists.
    const merge = async (group: typeof rows) => {
      await mergeAll(
        dependencies.mergeRows,
        group.filter(({ campaign }) => campaign === undefined),
      );
      await mergeAll(
        dependencies.mergeCampaigns,
        group.filter(({ campaign }) => campaign !== undefined),
      );
    };
    // Updates of a switch take effect only if the switch was committed. Campaigns are not part of a switch: a campaign whose
    // end was dropped would never end.
    const dropped = await closeUncommitted(
      store,
      rows.map(({ due }) => due),
    );
    const switchOf = ({ due, campaign }: (typeof rows)[number]) =>
      campaign === undefined ? dropped.get(due.getTime()) : undefined;
    for (const row of rows) {
      const id = switchOf(row);
      if (id !== undefined)
        outcomes.set(row, failure(row.row.itemId, rowNotice("SWITCH_NOT_COMMITTED", { switch: id })));
    }
    const kept = rows.filter((row) => switchOf(row) === undefined);
    for (const { entry, error } of await bisect(kept, merge, isUnavailable))
      outcomes.set(entry, failure(entry.row.itemId, rowNotice("ROW_FAILED", { detail: error.message })));

    const byItem = Map.groupBy(rows, ({ row }) => row.itemId);
    const finished = (itemId: string, current: Schedule | undefined) => {
      const results = (byItem.get(itemId) ?? []).map(
        (row) => [row.entered, outcomes.get(row) ?? { errors: [] }] as const,
      );
      return current && finishUpdates(current, number, new Map(results), now());
    };
    await changeSchedules(store, [...byItem.keys()], finished, urgency);
    for (const { itemId = "", errors } of outcomes.values()) {
      if (errors.length > 0) onScheduleFailed(store, itemId, errors);
    }
    return [...outcomes.values()];
  }

  return async (store, rows) => {
    const outcomes: Outcome[][] = [];
    for (const { row, stamp, acceptedAt } of rows) {
      const until = new Date(row.until);
      const number = numberOf(stamp);
      const all = (await findDue(store, until))
        .flatMap((schedule) =>
          dueUpdates(schedule, until, number).map((update) => ({ ...update, itemId: schedule.itemId })),
        )
        .sort(inOrder);
      const due: Due[] = rankUpdates(all, number);
      const { urgency, release } = await admit(store, due.length);
      const applied: Outcome[] = [];
      try {
        // All stamps are stored before the first update is applied and removed, since a retry could not determine the ranks
        // again.
        for (const batch of inBatches(due, UPDATES_PER_BATCH)) await assign(store, batch, number, urgency);
        // One batch at a time, because a later update may take a code that an earlier update frees.
        for (const batch of inBatches(due, UPDATES_PER_BATCH))
          applied.push(...(await apply(store, batch, { number, acceptedAt }, urgency)));
      } finally {
        release();
      }
      outcomes.push(applied);
    }
    return outcomes;
  };
}
