import { createHash } from "node:crypto";
import { Binary, type Db } from "mongodb";
import { uploadKey } from "../../schemas/keys.ts";
import { deleteInBatches } from "../mongodb/delete-in-batches.ts";

interface UploadDocument {
  _id: string;
  store: string;
  file: Binary;
  /** Of the file; absent from those that earlier releases stored. */
  bytes?: number;
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
  /** Whether a file's last mark is older than `before`. */
  hasUnused(before: Date): Promise<boolean>;
  /** Deletes files whose last mark is older than `before`, while `goOn` allows it; gives their number. */
  forget(before: Date, goOn?: () => Promise<boolean>): Promise<number>;
}

export function openUploads(db: Db, now: () => Date): Uploads {
  const files = db.collection<UploadDocument>("upload");
  return {
    async put(store, file) {
      const sha256 = createHash("sha256").update(file).digest("hex");
      const content = { store, file: new Binary(file), bytes: file.length };
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

    async hasUnused(before) {
      const oldest = { projection: { _id: 1 }, sort: { usedAt: 1 } } as const;
      return (await files.findOne({ usedAt: { $lt: before } }, oldest)) !== null;
    },

    forget: (before, goOn) =>
      deleteInBatches(files, { usedAt: { $lt: before } }, { sort: { usedAt: 1 }, ...(goOn && { goOn }) }),
  };
}
