import type { Db } from "mongodb";
import { type Walk, walks } from "../../records/kinds/work.ts";
import { keysUnder } from "../../schemas/keys.ts";
import type { Stored } from "../../schemas/record.ts";

/** Progress of a walk. */
export interface WalkProgress {
  /** The queue whose records are checked. */
  queue: string;
  /** The change that the walk follows. */
  reason: string;
  startedAt: Date;
  /** Absent while the walk is under way. */
  finishedAt?: Date;
  /** Number of records checked since the walk began. */
  checked: number;
  /** Number of records to check, taken from the last walk of the same kind; absent before such a walk has ended. */
  total?: number;
  /** Number of stale records among the checked ones; stale records are derived again. */
  stale: number;
}

/** Reads the progress of walks that follow changes to a tenant's pack, designs and canvases: each queue's newest walk. */
export async function readWalks(db: Db, tenant: string): Promise<WalkProgress[]> {
  const found = await db
    .collection<Stored<Walk>>(walks.name)
    .find({ _id: keysUnder(`${tenant}/walks/`) })
    .sort({ _id: 1 })
    .toArray();
  return found.map(progressOf);
}

/** Returns the progress that a walk's record shows. `total` grows with records that are added during the walk. */
export const progressOf = (walk: Walk): WalkProgress => {
  const { queue, reason, startedAt, finishedAt, checked, stale } = walk;
  const total = finishedAt ? checked : walk.total && Math.max(walk.total, checked);
  return {
    queue,
    reason,
    startedAt,
    ...(finishedAt && { finishedAt }),
    checked,
    ...(total !== undefined && { total }),
    stale,
  };
};
