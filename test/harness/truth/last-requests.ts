import type { Db } from "mongodb";
import { journalCollection } from "../../../records/requests/journal.ts";

/** A request that changes a store's items, as it was accepted. */
export interface SentRequest {
  requestId: number;
  operation: string;
  appliedAt: number;
  rows: readonly { itemId?: string; price?: string; validFrom?: string }[];
}

/** Maximum number of chunks read, across all stores and kinds. */
const MAX_CHUNKS = 12;

/**
 * Returns the store's requests that were applied last, newest first, with the rows that callers sent; requests with several
 * chunks are left out.
 */
export async function lastRequests(db: Db, store: string): Promise<SentRequest[]> {
  const chunks = await journalCollection(db)
    .find(
      { appliedAt: { $exists: true } },
      { projection: { store: 1, number: 1, chunks: 1, operation: 1, rows: 1, appliedAt: 1 } },
    )
    .sort({ appliedAt: -1 })
    .limit(MAX_CHUNKS)
    .toArray();
  return chunks
    .filter((chunk) => chunk.store === store && chunk.chunks === 1)
    .map(({ number, operation, rows, appliedAt }) => ({
      ...{ requestId: number, operation, rows: JSON.parse(rows) },
      appliedAt: appliedAt?.getTime() ?? 0,
    }))
    .sort((one, other) => other.requestId - one.requestId);
}
