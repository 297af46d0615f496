import { createHash } from "node:crypto";
import { Binary, type Db } from "mongodb";
import { uploadKey } from "../../schemas/keys.ts";

interface UploadDocument {
  _id: string;
  store: string;
  file: Binary;
  /** When it was last uploaded, or marked as used by an open request. */
  usedAt: Date;
}

/** Uploaded files, unchanged, until their requests are applied. Each is named by its SHA-256. */
export interface Uploads {
  /** Stores a file, or marks it as used, and gives its name. To be called before its request is journaled. */
  put(store: string, file: Uint8Array): Promise<string>;
  read(store: string, sha256: string): Promise<Uint8Array | undefined>;
  /** Marks files as used that open requests refer to. */
  touch(keys: readonly string[]): Promise<void>;
  /** Deletes files whose last mark is older than `before`; gives their number. */
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
