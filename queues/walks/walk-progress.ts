import type { Db } from "mongodb";
import { type Walk, walks } from "../../records/kinds/work.ts";
import { keysUnder } from "../../schemas/keys.ts";
import type { Stored } from "../../schemas/record.ts";

/** Progress of a walk. */
export interface WalkProgress {
  /** The queue whose records are checked. */
  queue: string;
  /** The change that it follows. */
  reason: string;
  startedAt: Date;
  /** Absent while it is under way. */
  finishedAt?: Date;
  /** Records checked since it began. */
  checked: number;
  /** Number of records to check, taken from the last walk of its kind; absent before one has ended. */
  total?: number;
  /** Stale ones among the checked records: these are derived again. */
  stale: number;
}

/** Progress of the walks that follow changes of a tenant's pack, designs and canvases: the newest of each queue. */
export async function readWalks(db: Db, tenant: string): Promise<WalkProgress[]> {
  const found = await db
    .collection<Stored<Walk>>(walks.name)
    .find({ _id: keysUnder(`${tenant}/walks/`) })
    .sort({ _id: 1 })
    .toArray();
  return found.map(progressOf);
}

/** Progress from a walk's record. `total` grows with the records that are added while the walk is under way. */
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
