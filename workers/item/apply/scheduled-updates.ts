import { bisect } from "../../../queues/batch/bisect.ts";
import type { ApplyRows, StampedRow } from "../../../queues/requests/apply-chunks.ts";
import {
  assignStamps,
  dueUpdates,
  enterUpdate,
  finishUpdates,
  inOrder,
} from "../../../records/requests/scheduled-updates.ts";
import type { ItemPatch } from "../../../schemas/item.ts";
import type { Outcome } from "../../../schemas/request.ts";
import type { ApplyScheduled, Schedule, ScheduledUpdate } from "../../../schemas/schedule.ts";
import { numberOf } from "../../../schemas/stamp.ts";
import type { Urgency } from "../../../schemas/topics.ts";
import { failure, success } from "../rules/outcome.ts";
import type { ItemWorld } from "../world.ts";

/** A row with the time at which it takes effect. */
export interface DatedRow extends StampedRow<ItemPatch> {
  due: Date;
}

/** Enters rows that wait for their time. One outcome a row: SUCCESS once it is stored. */
export const createEnterRows =
  ({ changeSchedules }: Pick<ItemWorld, "changeSchedules">) =>
  async (store: string, rows: readonly DatedRow[], urgency: Urgency): Promise<Outcome[][]> => {
    const byItem = Map.groupBy(rows, ({ row }) => row.itemId);
    const refused = new Map<DatedRow, string>();
    const decide = (itemId: string, current: Schedule | undefined) => {
      let schedule = current;
      for (const row of byItem.get(itemId) ?? []) {
        const entered = enterUpdate(schedule, itemId, { ...row, patch: JSON.stringify(row.row) });
        if (typeof entered === "string") refused.set(row, entered);
        else {
          refused.delete(row);
          schedule = entered;
        }
      }
      return schedule;
    };
    if (rows.length > 0) await changeSchedules(store, [...byItem.keys()], decide, urgency);
    return rows.map((row) => {
      const error = refused.get(row);
      return [error === undefined ? success(row.row.itemId, false) : failure(row.row.itemId, [error])];
    });
  };

interface ApplyDependencies
  extends Pick<
    ItemWorld,
    "changeSchedules" | "readSchedules" | "findDue" | "isUnavailable" | "onScheduleFailed" | "now"
  > {
  mergeRows: ApplyRows<ItemPatch>;
}

interface Due extends Pick<ScheduledUpdate, "due" | "stamp"> {
  itemId: string;
}

const UPDATES_PER_PART = 4_000;
const INTERACTIVE_UPDATES = 100;

/**
 * Applies what is due of a store, in order, as the newest write: a row says up to which time. Each update is claimed,
 * then merged like a row of the request, then removed; a process that is killed between repeats the step under the same
 * stamps. One that fails stays with its errors, and holds back no other.
 */
export function createApplyScheduled(dependencies: ApplyDependencies): ApplyRows<ApplyScheduled> {
  const { changeSchedules, readSchedules, findDue, isUnavailable, onScheduleFailed, now, mergeRows } = dependencies;

  /** What is due of these items, under the stamps of this number. */
  async function assign(store: string, part: readonly Due[], until: Date, number: number, urgency: Urgency) {
    const itemIds = [...new Set(part.map(({ itemId }) => itemId))];
    const assigned = (_: string, current: Schedule | undefined) => current && assignStamps(current, until, number);
    await changeSchedules(store, itemIds, assigned, urgency);
    const present = new Map([...(await readSchedules(store, itemIds)).values()].map((one) => [one.itemId, one]));
    return part.flatMap(({ itemId, stamp }) => {
      const update = present.get(itemId)?.updates.find((one) => one.stamp === stamp);
      const { appliedAs = 0, patch = "" } = update ?? {};
      if (update?.failed || numberOf(appliedAs) !== number) return [];
      return [{ asked: stamp, stamp: appliedAs, row: JSON.parse(patch) as ItemPatch }];
    });
  }

  async function apply(store: string, part: readonly Due[], until: Date, number: number, urgency: Urgency) {
    const rows = await assign(store, part, until, number, urgency);
    const outcomes = new Map<(typeof rows)[number], Outcome>();
    const merge = async (some: typeof rows) => {
      const merged = await mergeRows(store, some, urgency);
      for (const [index, row] of some.entries()) outcomes.set(row, merged[index]?.[0] ?? failure(row.row.itemId, []));
    };
    for (const { entry, error } of await bisect(rows, merge, isUnavailable))
      outcomes.set(entry, failure(entry.row.itemId, [error.message]));

    const byItem = Map.groupBy(rows, ({ row }) => row.itemId);
    const finished = (itemId: string, current: Schedule | undefined) => {
      const over = (byItem.get(itemId) ?? []).map((row) => [row.asked, outcomes.get(row)?.errors ?? []] as const);
      return current && finishUpdates(current, number, new Map(over), now());
    };
    await changeSchedules(store, [...byItem.keys()], finished, urgency);
    for (const { itemId = "", errors } of outcomes.values()) {
      if (errors.length > 0) onScheduleFailed(store, itemId, errors);
    }
    return [...outcomes.values()];
  }

  return async (store, rows) => {
    const outcomes: Outcome[][] = [];
    for (const { row, stamp } of rows) {
      const until = new Date(row.until);
      const number = numberOf(stamp);
      const due = (await findDue(store, until))
        .flatMap((schedule) =>
          dueUpdates(schedule, until, number).map((update): Due => ({ ...update, itemId: schedule.itemId })),
        )
        .sort(inOrder);
      const urgency = due.length <= INTERACTIVE_UPDATES ? "interactive" : "bulk";
      const applied: Outcome[] = [];
      // In turn, because a code that an earlier update frees may be taken by a later one.
      for (let from = 0; from < due.length; from += UPDATES_PER_PART)
        applied.push(...(await apply(store, due.slice(from, from + UPDATES_PER_PART), until, number, urgency)));
      outcomes.push(applied);
    }
    return outcomes;
  };
}
