import { setTimeout } from "node:timers/promises";
import type { Db } from "mongodb";
import { type Chunk, journalCollection } from "./journal.ts";

const RETRY_INTERVAL_MS = 500;

/**
 * Makes chunks void whose callers were refused although the database may have stored them in time. It retries until the
 * database answers. No process applies such a chunk before: only the sweep enqueues it, after its time of grace.
 */
export function createRevocation(db: Db): (chunks: readonly Pick<Chunk, "_id">[]) => void {
  const refused = new Set<string>();
  let working = false;

  async function work(): Promise<void> {
    while (refused.size > 0) {
      const keys = [...refused];
      try {
        const refusable = { _id: { $in: keys }, open: true, kept: { $exists: false } };
        await journalCollection(db).updateMany(refusable, { $set: { validFor: -1 } });
        for (const key of keys) refused.delete(key);
      } catch {
        // Whatever the reason is: the callers have been refused, and no other write makes these chunks void.
        await setTimeout(RETRY_INTERVAL_MS, undefined, { ref: false });
      }
    }
  }

  return (chunks) => {
    for (const { _id } of chunks) refused.add(_id);
    if (working) return;
    working = true;
    void work().finally(() => {
      working = false;
    });
  };
}
