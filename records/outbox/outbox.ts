import type { Db } from "mongodb";
import type { Change } from "../../schemas/topics.ts";

/**
 * Changes that a batch of writes is about to make, noted before the writes: what a killed process or an
 * absent Redis leaves behind, a sweep publishes. One note a batch, not a mark a record: a mark
 * would have every record written twice.
 */
export interface UnpublishedBatch {
  /** The `writeId` of the batch. */
  _id: string;
  /** Name of the record kind. */
  kind: string;
  since: Date;
  changes: Change[];
}

export interface Unpublished {
  note(batch: UnpublishedBatch): Promise<void>;
  /** Forgets a batch that was published, or of which nothing was written. */
  forget(writeId: string): Promise<void>;
  /** Batches that should have been published before `before`, oldest first. */
  find(before: Date, limit: number): Promise<UnpublishedBatch[]>;
}

export function openUnpublished(db: Db): Unpublished {
  // As one text: a server would take apart thousands of changes that nobody asks it about.
  const batches = db.collection<Omit<UnpublishedBatch, "changes"> & { changes: string }>("unpublished");
  return {
    async note({ changes, ...batch }) {
      await batches.insertOne({ ...batch, changes: JSON.stringify(changes) });
    },
    async forget(writeId) {
      await batches.deleteOne({ _id: writeId });
    },
    async find(before, limit) {
      const found = await batches
        .find({ since: { $lt: before } })
        .sort({ since: 1 })
        .limit(limit)
        .toArray();
      return found.map(({ changes, ...batch }) => ({ ...batch, changes: JSON.parse(changes) }));
    },
  };
}
