import type { Db } from "mongodb";
import type { Change } from "../../schemas/topics.ts";
import { batchesOf } from "../mongodb/batches-of.ts";
import { REPEATABLE } from "../mongodb/repeatable.ts";

/**
 * The changes of a batch of writes, stored before the writes and removed once they are published. The sweep publishes entries
 * that are left when a process is killed or Redis is unavailable. A batch has one entry, because a mark on each record would
 * mean writing every record twice.
 */
export interface OutboxEntry {
  /** The `writeId` of the batch. */
  _id: string;
  /** Name of the record kind. */
  kind: string;
  since: Date;
  changes: readonly Change[];
  /** True if a sweep found that none of these writes had happened. They may still happen, for as long as the entry exists. */
  isUnwritten?: boolean;
}

export interface Outbox {
  add(...batches: readonly OutboxEntry[]): Promise<void>;
  /** Removes the entries of batches that were published, or whose writes never happened. */
  remove(...writeIds: readonly string[]): Promise<void>;
  /**
   * Leaves only these changes of a batch in its entry, and stores whether all of them are unwritten; an entry that has since been
   * removed stays removed.
   */
  keep(writeId: string, changes: readonly Change[], isUnwritten: boolean): Promise<void>;
  /** Reads entries that were added before `before`, oldest first, in batches. */
  scan(before: Date): AsyncIterable<OutboxEntry[]>;
}

/** Maximum number of entries read at a time. An entry is at most 4 MiB, and the server ends a batch at 16 MiB. */
const ENTRIES_PER_BATCH = 100;

export function openOutbox(db: Db): Outbox {
  // Changes are stored as one string: no query reads a single change, and a string is cheaper for the server.
  const entries = db.collection<Omit<OutboxEntry, "changes"> & { changes: string }>("outbox");
  return {
    async add(...batches) {
      const documents = batches.map(({ changes, ...batch }) => ({ ...batch, changes: JSON.stringify(changes) }));
      if (documents.length > 0) await entries.insertMany(documents);
    },
    async remove(...writeIds) {
      // If a failover restores an entry, it is published once more.
      if (writeIds.length > 0) await entries.deleteMany({ _id: { $in: [...writeIds] } }, REPEATABLE);
    },
    async keep(writeId, changes, isUnwritten) {
      const kept = { changes: JSON.stringify(changes) };
      const update = isUnwritten
        ? { $set: { ...kept, isUnwritten } }
        : { $set: kept, $unset: { isUnwritten: "" as const } };
      await entries.updateOne({ _id: writeId }, update);
    },
    async *scan(before) {
      const cursor = entries.find({ since: { $lt: before } }).sort({ since: 1 });
      for await (const found of batchesOf(cursor, ENTRIES_PER_BATCH))
        yield found.map(({ changes, ...batch }) => ({ ...batch, changes: JSON.parse(changes) }));
    },
  };
}

/**
 * Reads when the oldest unpublished change was added; undefined if all changes are published. Changes that a sweep found
 * unwritten do not count: nothing follows from them yet.
 */
export async function readOldestUnpublished(db: Db): Promise<Date | undefined> {
  const oldest = await db
    .collection<{ _id: string; since: Date; isUnwritten?: boolean }>("outbox")
    .find({ isUnwritten: { $exists: false } }, { projection: { since: 1 } })
    .sort({ since: 1 })
    .limit(1)
    .next();
  return oldest?.since;
}
