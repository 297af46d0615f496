import type { Db } from "mongodb";
import type { Change } from "../../schemas/topics.ts";

/**
 * Changes that a batch of writes is about to make, noted before the writes: what a killed process or an
 * absent Redis leaves behind, a sweep publishes. One note a batch, not a mark a record: a mark
 * would have every record written twice.
 */
export interface OutboxEntry {
  /** The `writeId` of the batch. */
  _id: string;
  /** Name of the record kind. */
  kind: string;
  since: Date;
  changes: Change[];
}

export interface Outbox {
  add(batch: OutboxEntry): Promise<void>;
  /** Forgets a batch that was published, or of which nothing was written. */
  remove(writeId: string): Promise<void>;
  /** Batches that should have been published before `before`, oldest first. */
  find(before: Date, limit: number): Promise<OutboxEntry[]>;
}

export function openOutbox(db: Db): Outbox {
  // As one text: a server would take apart thousands of changes that nobody asks it about.
  const entries = db.collection<Omit<OutboxEntry, "changes"> & { changes: string }>("outbox");
  return {
    async add({ changes, ...batch }) {
      await entries.insertOne({ ...batch, changes: JSON.stringify(changes) });
    },
    async remove(writeId) {
      await entries.deleteOne({ _id: writeId });
    },
    async find(before, limit) {
      const found = await entries
        .find({ since: { $lt: before } })
        .sort({ since: 1 })
        .limit(limit)
        .toArray();
      return found.map(({ changes, ...batch }) => ({ ...batch, changes: JSON.parse(changes) }));
    },
  };
}
