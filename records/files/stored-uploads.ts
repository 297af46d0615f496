import type { Db } from "mongodb";
import { keysUnder } from "../../schemas/keys.ts";

/**
 * The size of a tenant's stored uploads: uploads waiting to be drawn, uploads from which designs and page images are drawn, and
 * uploads that are not yet deleted.
 */
export interface StoredUploads {
  files: number;
  bytes: number;
}

/** Reads the size from an index, over at most `maxFiles` files, so that the cost is bounded. */
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
