import { setTimeout } from "node:timers/promises";
import { type Db, MongoNotConnectedError } from "mongodb";
import type { JournaledChunk } from "./chunks.ts";
import { journalCollection, VOID } from "./journal.ts";
import { insertVoids } from "./store-chunks.ts";

/** A chunk whose caller was rejected, without its rows. */
export type RefusedChunk = Omit<JournaledChunk, "rows">;

const RETRY_INTERVAL_MS = 500;

/**
 * Makes the chunks of rejected callers void, whether or not the database has stored them: a chunk that is not stored is replaced
 * by a void chunk, which settles the number and causes the original chunk to be rejected if it arrives later. Retries until the
 * database succeeds, and reports each failure. Until then, only the sweep may enqueue such a chunk, and only after its grace
 * period.
 */
export function createRevocation(db: Db, onError: (error: Error) => void): (chunks: readonly RefusedChunk[]) => void {
  const refused = new Map<string, JournaledChunk>();
  let working = false;

  async function makeVoid(chunks: readonly JournaledChunk[]): Promise<void> {
    // First inserts the missing chunks, so that every chunk is in the journal when the stored chunks are made void.
    await insertVoids(db, chunks);
    // A chunk marked `kept` was accepted when its call was repeated. A held chunk is not open.
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
        // This process has closed its client, so a retry would never succeed. The rejected chunks are void by their dates.
        if (error instanceof MongoNotConnectedError) break;
        onError(error as Error);
        await setTimeout(RETRY_INTERVAL_MS, undefined, { ref: false });
      }
    }
    working = false;
  }

  return (chunks) => {
    // Chunks are kept here without their rows, which may be megabytes.
    for (const chunk of chunks) refused.set(chunk._id, { ...chunk, rows: "[]" });
    if (working || refused.size === 0) return;
    working = true;
    void work();
  };
}
