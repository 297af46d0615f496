import { Binary, type Db } from "mongodb";
import type { ImageFile } from "../../schemas/image-file.ts";
import { imageFileKey, keysUnder, ownerOf } from "../../schemas/keys.ts";
import { deleteInBatches } from "../mongodb/delete-in-batches.ts";
import { type Among, nextOwner } from "../owners.ts";

interface ImageDocument {
  _id: string;
  store: string;
  png: Binary;
  width: number;
  height: number;
  /** When the file was last marked as used: clean-up deletes only files with an old mark. */
  usedAt: Date;
}

export interface ImageFiles {
  /** Stores files, or marks stored files as used. Must be called before the record that refers to them is written. */
  put(tenant: string, files: readonly ImageFile[]): Promise<void>;
  read(tenant: string, sha256s: readonly string[]): Promise<Map<string, ImageFile>>;
  /** Returns which of these keys have no stored file. */
  findMissing(keys: readonly string[]): Promise<Set<string>>;
  /** Marks as used the files to which records still refer, if their last mark is older than `before`. */
  touch(keys: readonly string[], before: Date): Promise<void>;
  /** The first tenant after `after` with a file, among these ids, that was last marked before `before`. */
  nextUnused(before: Date, after: string, among: Among): Promise<string | undefined>;
  /** Deletes a tenant's files that were last marked before `before`, as long as `goOn` allows it; returns their number. */
  forget(tenant: string, before: Date, goOn?: () => Promise<boolean>): Promise<number>;
}

export function openImageFiles(db: Db, now: () => Date): ImageFiles {
  const files = db.collection<ImageDocument>("image");
  return {
    async put(tenant, images) {
      if (images.length === 0) return;
      const operations = images.map(({ sha256, png, width, height }) => {
        const _id = imageFileKey(tenant, sha256);
        const content = { store: ownerOf(_id), png: new Binary(png), width, height };
        return {
          updateOne: { filter: { _id }, update: { $setOnInsert: content, $set: { usedAt: now() } }, upsert: true },
        };
      });
      await files.bulkWrite(operations, { ordered: false });
    },

    async read(tenant, sha256s) {
      const found = await files.find({ _id: { $in: sha256s.map((sha256) => imageFileKey(tenant, sha256)) } }).toArray();
      return new Map(
        found.map(({ _id, png, width, height }) => {
          const sha256 = _id.slice(_id.lastIndexOf("/") + 1);
          return [sha256, { sha256, png: png.buffer, width, height }];
        }),
      );
    },

    async findMissing(keys) {
      if (keys.length === 0) return new Set();
      const missing = new Set(keys);
      const found = files.find({ _id: { $in: [...missing] } }, { projection: { _id: 1 } });
      for await (const { _id } of found) missing.delete(_id);
      return missing;
    },

    async touch(keys, before) {
      if (keys.length === 0) return;
      await files.updateMany({ _id: { $in: [...keys] }, usedAt: { $lt: before } }, { $set: { usedAt: now() } });
    },

    nextUnused: (before, after, among) =>
      nextOwner(files, { owner: "store", field: "usedAt", asked: { $lt: before }, among }, after),

    forget: (tenant, before, goOn) =>
      deleteInBatches(
        files,
        { _id: keysUnder(imageFileKey(tenant, "")), store: tenant, usedAt: { $lt: before } },
        { sort: { usedAt: 1 }, ...(goOn && { goOn }) },
      ),
  };
}
