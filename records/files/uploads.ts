import { createHash } from "node:crypto";
import { Binary, type Db } from "mongodb";
import { keysUnder, uploadKey } from "../../schemas/keys.ts";
import { batchesOf } from "../mongodb/batches-of.ts";
import { type Among, nextOwner } from "../owners.ts";

interface UploadDocument {
  _id: string;
  store: string;
  file: Binary;
  /** Size of the file; absent from files stored by earlier releases. */
  bytes?: number;
  /** When it was last uploaded, or marked as used by an open request. */
  usedAt: Date;
}

const FILES_PER_BATCH = 1_000;

/** Uploaded files, stored unchanged and kept as long as requests or records name them. Each is named by its SHA-256. */
export interface Uploads {
  /** Stores a file, or marks it as used, and returns its name. Must be called before its request is journaled. */
  put(store: string, file: Uint8Array): Promise<string>;
  read(store: string, sha256: string): Promise<Uint8Array | undefined>;
  /** Marks as used the files to which open requests refer. */
  touch(keys: readonly string[]): Promise<void>;
  /** The first store or tenant after `after` with a file, among these ids, that was last marked before `before`. */
  nextUnused(before: Date, after: string, among: Among): Promise<string | undefined>;
  /**
   * Deletes a store's or a tenant's files that were last marked before `before`, except those with a key in `kept`, as long as
   * `goOn` allows it; returns their number.
   */
  forget(owner: string, before: Date, kept: ReadonlySet<string>, goOn?: () => Promise<boolean>): Promise<number>;
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

    nextUnused: (before, after, among) =>
      nextOwner(files, { owner: "store", field: "usedAt", asked: { $lt: before }, among }, after),

    async forget(owner, before, kept, goOn = async () => true) {
      const unused = { store: owner, usedAt: { $lt: before } };
      // Only the index is needed: the documents of kept files are not read.
      const ofOwner = { _id: keysUnder(uploadKey(owner, "")), ...unused };
      const found = files.find(ofOwner, { projection: { _id: 1 } }).sort({ usedAt: 1, _id: 1 });
      let forgotten = 0;
      for await (const batch of batchesOf(found, FILES_PER_BATCH)) {
        const keys = batch.map(({ _id }) => _id).filter((key) => !kept.has(key));
        if (keys.length > 0) forgotten += (await files.deleteMany({ ...unused, _id: { $in: keys } })).deletedCount;
        if (!(await goOn())) break;
      }
      return forgotten;
    },
  };
}
