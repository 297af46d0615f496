import type { Db } from "mongodb";
import { keysUnder } from "../../schemas/keys.ts";
import { journalCollection } from "./journal.ts";

/** How many of a tenant's chunks and rows are accepted but not yet applied. */
export interface RowsInFlight {
  rows: number;
  chunks: number;
}

/**
 * Counts the open chunks of a tenant's stores, and their rows, in an index that contains only open chunks. Examines at most
 * `maxChunks` chunks, so that the cost is bounded.
 */
export const openRowsInFlight =
  (db: Db, maxChunks: number) =>
  async (tenant: string): Promise<RowsInFlight> => {
    const [sum] = await journalCollection(db)
      .aggregate<RowsInFlight>([
        { $match: { store: keysUnder(`${tenant}/`), open: true } },
        { $limit: maxChunks },
        { $group: { _id: null, rows: { $sum: "$size" }, chunks: { $sum: 1 } } },
      ])
      .toArray();
    return { rows: sum?.rows ?? 0, chunks: sum?.chunks ?? 0 };
  };

/** How many of a tenant's uploads are waiting to be drawn. */
export interface WaitingUploads {
  uploads: number;
  pixels: number;
}

/** Reads, from the journal's open chunks, the uploads of a tenant's stores that are accepted but not yet drawn. */
export const openWaitingUploads =
  (db: Db) =>
  async (tenant: string): Promise<WaitingUploads> => {
    const chunks = await journalCollection(db)
      .find(
        { store: keysUnder(`${tenant}/`), pixels: { $exists: true }, open: true },
        { projection: { _id: 0, pixels: 1 } },
      )
      .toArray();
    return { uploads: chunks.length, pixels: chunks.reduce((sum, { pixels = 0 }) => sum + pixels, 0) };
  };
