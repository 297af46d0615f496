import type { Db } from "mongodb";
import type { Stored } from "../../records/kind.ts";
import { type Walk, walks } from "../../records/kinds/walk.ts";
import { keysUnder } from "../../schemas/keys.ts";

/** How far a walk is. */
export interface WalkProgress {
  /** The worker whose records are looked at. */
  queue: string;
  /** Which change it follows. */
  reason: string;
  startedAt: Date;
  /** Absent while it is under way. */
  finishedAt?: Date;
  /** Records looked at so far; they are taken in order of their keys. */
  checked: number;
  /** How many there are to look at; absent until a worker has begun. */
  total?: number;
  /** Those of them that the change made another: these are derived anew. */
  stale: number;
}

/** How far the walks are that follow changes of a tenant's pack, designs and canvases; the latest of each worker. */
export async function readWalks(db: Db, tenant: string): Promise<WalkProgress[]> {
  const found = await db
    .collection<Stored<Walk>>(walks.name)
    .find({ _id: keysUnder(`${tenant}/walks/`) })
    .sort({ _id: 1 })
    .toArray();
  return found.map(progressOf);
}

/** What a walk's record tells. What was added to the store since it began is looked at as well, and counts. */
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
