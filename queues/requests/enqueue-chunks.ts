import { tenantOf } from "../../schemas/keys.ts";
import type { BulkJobs } from "../publish/bulk-jobs.ts";
import type { Publisher } from "../publish/publisher.ts";
import type { AdmitChunks } from "./admit-chunks.ts";
import { addChunkJobs, type ChunkOfJob } from "./chunk-jobs.ts";

/**
 * Enqueues chunks of confirmed requests: interactive chunks immediately, bulk chunks when it is their turn. Never rejects,
 * since the sweep enqueues what is left in the journal.
 */
export type EnqueueChunks = (chunks: readonly ChunkOfJob[]) => Promise<void>;

interface Dependencies {
  publisher: Pick<Publisher, "enqueue" | "isReady">;
  bulkJobs: Pick<BulkJobs, "noteConfirmed">;
  admitChunks: AdmitChunks;
  onError(error: Error): void;
}

export function createEnqueueChunks({ publisher, bulkJobs, admitChunks, onError }: Dependencies): EnqueueChunks {
  return async (chunks) => {
    const interactive = chunks.filter(({ urgency }) => urgency === "interactive");
    const bulk = chunks.filter(({ urgency }) => urgency === "bulk");
    try {
      await addChunkJobs(publisher, interactive);
      if (bulk.length === 0 || !publisher.isReady()) return;
      await bulkJobs.noteConfirmed(bulk);
      for (const tenant of new Set(bulk.map(({ store }) => tenantOf(store)))) await admitChunks(tenant);
    } catch (error) {
      onError(error as Error);
    }
  };
}
