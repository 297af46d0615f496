import type { ChunkHead, Journal } from "../../records/requests/journal.ts";
import { tenantOf } from "../../schemas/keys.ts";
import type { KeptOutcome } from "../../schemas/request.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { Results } from "./results.ts";

/** A chunk with the outcomes of its rows. A chunk that was closed without effect has no outcomes. */
export interface SettledChunk {
  chunk: ChunkHead;
  outcomes: KeptOutcome[];
}

interface Dependencies {
  journal: Pick<Journal, "settle">;
  results: Pick<Results, "cache">;
  metrics: Pick<Metrics, "count">;
}

/**
 * Stores the outcomes of chunks, counts their rows and caches the results. If another process settled a chunk first, the other
 * process's outcomes count, and a reader gets them from the journal.
 */
export const createSettleChunks =
  ({ journal, results, metrics }: Dependencies) =>
  async (settled: readonly SettledChunk[]): Promise<void> => {
    const isFirst = await journal.settle(new Map(settled.map(({ chunk, outcomes }) => [chunk._id, outcomes])));
    if (!isFirst) return;
    for (const { chunk, outcomes } of settled)
      if (outcomes.length > 0)
        metrics.count("shelfwire_rows_applied_total", { tenant: tenantOf(chunk.store) }, chunk.size);
    await results.cache(settled.map(({ chunk, outcomes }) => ({ ...chunk, outcomes })));
  };
