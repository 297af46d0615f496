import type { Db } from "mongodb";
import { keysUnder } from "../../schemas/keys.ts";
import { journalCollection } from "./journal.ts";

/** How much of a tenant is accepted and not applied yet. */
export interface RowsInFlight {
  rows: number;
  chunks: number;
}

/**
 * Counts the open chunks of a tenant's stores, and their rows, in an index that holds no others. It looks at no more than
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
