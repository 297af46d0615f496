import type { Db } from "mongodb";
import { keysUnder } from "../../schemas/keys.ts";

/** How much of a tenant's uploads is stored: what waits, what designs and page images are drawn from, and what is not deleted yet. */
export interface StoredUploads {
  files: number;
  bytes: number;
}

/** Reads it from an index, of at most `maxFiles` files, so that its cost is bounded as well. */
export const openStoredUploads =
  (db: Db, maxFiles: number) =>
  async (tenant: string): Promise<StoredUploads> => {
    const [sum] = await db
      .collection("upload")
      .aggregate<StoredUploads>([
        { $match: { $or: [{ store: tenant }, { store: keysUnder(`${tenant}/`) }] } },
        { $limit: maxFiles },
        { $group: { _id: null, files: { $sum: 1 }, bytes: { $sum: "$bytes" } } },
      ])
      .toArray();
    return { files: sum?.files ?? 0, bytes: sum?.bytes ?? 0 };
  };
