import { createHash } from "node:crypto";
import { Binary, type Db } from "mongodb";
import { uploadKey } from "../../schemas/keys.ts";

interface UploadDocument {
  _id: string;
  store: string;
  file: Binary;
  /** Last time that it was sent, or that a request still waited for it. */
  usedAt: Date;
}

/** Files that were sent, as they were sent, until their requests are applied. Named by their SHA-256. */
export interface Uploads {
  /** Stores a file, or marks it as used; before the request that refers to it is journaled. Gives back its name. */
  put(store: string, file: Uint8Array): Promise<string>;
  read(store: string, sha256: string): Promise<Uint8Array | undefined>;
  /** Marks files as used: requests still refer to them. */
  touch(keys: readonly string[]): Promise<void>;
  /** Drops files that were not marked as used since `before`. */
  forget(before: Date): Promise<number>;
}

export function openUploads(db: Db, now: () => Date): Uploads {
  const files = db.collection<UploadDocument>("upload");
  return {
    async put(store, file) {
      const sha256 = createHash("sha256").update(file).digest("hex");
      const content = { store, file: new Binary(file) };
      const update = { $setOnInsert: content, $set: { usedAt: now() } };
      await files.updateOne({ _id: uploadKey(store, sha256) }, update, { upsert: true });
      return sha256;
    },

    async read(store, sha256) {
      return (await files.findOne({ _id: uploadKey(store, sha256) }))?.file.buffer;
    },

    async touch(keys) {
      if (keys.length > 0) await files.updateMany({ _id: { $in: [...keys] } }, { $set: { usedAt: now() } });
    },

    async forget(before) {
      const { deletedCount } = await files.deleteMany({ usedAt: { $lt: before } });
      return deletedCount;
    },
  };
}
