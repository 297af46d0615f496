import type { Db } from "mongodb";
import { keysUnder } from "../../schemas/keys.ts";

/**
 * The size of a tenant's stored uploads: those that wait, those that designs and page images are drawn from, and those
 * not deleted yet.
 */
export interface StoredUploads {
  files: number;
  bytes: number;
}

/** Reads it from an index, for at most `maxFiles` files, so that its cost is bounded as well. */
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
