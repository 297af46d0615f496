import { setTimeout } from "node:timers/promises";
import { type Db, MongoNotConnectedError } from "mongodb";
import type { JournaledChunk } from "./chunks.ts";
import { journalCollection, VOID } from "./journal.ts";
import { insertVoids } from "./store-chunks.ts";

/** A chunk whose caller was rejected, without its rows. */
export type RefusedChunk = Omit<JournaledChunk, "rows">;

const RETRY_INTERVAL_MS = 500;

/**
 * Makes chunks void whose callers were rejected, whether the database has stored them or not: a chunk that is not
 * stored is replaced by a void one, which settles its number and rejects the chunk if it arrives later. Retries until
 * the database has done it, and reports each failure. No process applies such a chunk before: only the sweep enqueues
 * it, after its grace period.
 */
export function createRevocation(db: Db, onError: (error: Error) => void): (chunks: readonly RefusedChunk[]) => void {
  const refused = new Map<string, JournaledChunk>();
  let working = false;

  async function makeVoid(chunks: readonly JournaledChunk[]): Promise<void> {
    // First the missing ones, so that each chunk is in the journal when those that are stored are made void.
    await insertVoids(db, chunks);
    // A chunk that is `kept` was accepted by a repetition of its call. A held one is not open.
    const waits = { $or: [{ open: true }, { held: true as const }] };
    const refusable = { _id: { $in: chunks.map(({ _id }) => _id) }, ...waits, kept: { $exists: false } };
    await journalCollection(db).updateMany(refusable, { $set: { validFor: VOID } });
  }

  async function work(): Promise<void> {
    while (refused.size > 0) {
      const chunks = [...refused.values()];
      try {
        await makeVoid(chunks);
        for (const { _id } of chunks) refused.delete(_id);
      } catch (error) {
        // This process has closed its client: it would never be done, and what it refused is void by its dates.
        if (error instanceof MongoNotConnectedError) break;
        onError(error as Error);
        await setTimeout(RETRY_INTERVAL_MS, undefined, { ref: false });
      }
    }
    working = false;
  }

  return (chunks) => {
    // Without its rows, which may be megabytes.
    for (const chunk of chunks) refused.set(chunk._id, { ...chunk, rows: "[]" });
    if (working || refused.size === 0) return;
    working = true;
    void work();
  };
}
