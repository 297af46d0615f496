import type { Db } from "mongodb";
import { keysUnder } from "../../schemas/keys.ts";
import { journalCollection } from "./journal.ts";

/** How much of a tenant is accepted and not applied yet. */
export interface RowsInFlight {
  rows: number;
  chunks: number;
}

/**
 * Counts the open chunks of a tenant's stores, and their rows, in an index that contains no others. It examines at most
 * `maxChunks` chunks, so that its cost is bounded as well.
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

/** How much of a tenant waits to be drawn. */
export interface WaitingUploads {
  uploads: number;
  pixels: number;
}

/** Reads the uploads of a tenant's stores that are accepted and not drawn yet, from the open chunks of the journal. */
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
