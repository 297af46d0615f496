import type { Db } from "mongodb";
import { schedules } from "../../records/kinds/items.ts";
import { batchesOf } from "../../records/mongodb/batches-of.ts";
import type { Records } from "../../records/records.ts";
import { openHolds } from "../../records/requests/held/holds.ts";
import type { Numbers } from "../../records/requests/numbers.ts";
import { forgetFailed } from "../../records/requests/scheduled-updates.ts";
import type { Stored } from "../../schemas/record.ts";
import type { Schedule } from "../../schemas/schedule.ts";
import { numberOf } from "../../schemas/stamp.ts";
import type { Commit } from "../changes/commit.ts";
import type { TimeSlice } from "./time-slice.ts";
import { createSettled } from "./tombstones.ts";

/** A schedule without updates keeps its floor for this long, since a slow process may schedule an applied update again. */
export const EMPTY_SCHEDULE_TTL_MS = 24 * 3_600_000;

interface Dependencies {
  db: Db;
  records: Pick<Records, "remove">;
  numbers: Pick<Numbers, "settledThrough">;
  commit: Commit;
}

const SCHEDULES_PER_BATCH = 500;

/** Removes scheduled updates that failed before `expired`; returns the number of changed schedules. */
export async function forgetFailedUpdates(
  { db, commit }: Pick<Dependencies, "db" | "commit">,
  expired: Date,
  slice: TimeSlice,
): Promise<number> {
  const stored = db.collection<Stored<Schedule>>(schedules.name);
  for (let changed = 0; ; ) {
    const found = await stored
      .find({ "updates.failed.at": { $lt: expired } }, { projection: { _id: 1 } })
      .sort({ "updates.failed.at": 1 })
      .limit(SCHEDULES_PER_BATCH)
      .toArray();
    const keys = found.map(({ _id }) => _id);
    await commit.change(schedules, keys, (_, current) => current && forgetFailed(current, expired), "bulk");
    changed += keys.length;
    if (keys.length < SCHEDULES_PER_BATCH || !(await slice.goOn())) return changed;
  }
}

/**
 * Removes schedules without updates that have not changed since `emptySince`; returns their number. A schedule stays while a
 * request that is held, or not settled, has a smaller number than the schedule's floor, because that request's rows must not be
 * scheduled.
 */
export async function forgetEmptySchedules(
  { db, records, numbers }: Omit<Dependencies, "commit">,
  emptySince: Date,
  slice: TimeSlice,
): Promise<number> {
  const settledThrough = createSettled(numbers, openHolds(db).firstUnapplied);
  const idle = db
    .collection<Stored<Schedule>>(schedules.name)
    // Null matches an absent field, and the index serves it. Some of these schedules contain failed updates.
    .find({ due: null, changedAt: { $lt: emptySince } } as object, {
      projection: { rev: 1, updates: 1, store: 1, floor: 1 },
    })
    .sort({ changedAt: 1 });
  let removed = 0;
  for await (const found of batchesOf(idle, SCHEDULES_PER_BATCH)) {
    const empty: typeof found = [];
    for (const schedule of found) {
      const { updates, store, floor } = schedule;
      const isNeeded = floor !== undefined && numberOf(floor) > (await settledThrough(store));
      if (updates.length === 0 && !isNeeded) empty.push(schedule);
    }
    await records.remove(
      schedules,
      empty.map(({ _id, rev }) => ({ key: _id, rev })),
    );
    removed += empty.length;
    if (!(await slice.goOn())) break;
  }
  return removed;
}
