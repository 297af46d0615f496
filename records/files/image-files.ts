import { Binary, type Db } from "mongodb";
import { imageFileKey, ownerOf } from "../../schemas/keys.ts";

/** A picture, named by the SHA-256 of its pixels: the same pixels are stored once a tenant. */
export interface ImageFile {
  sha256: string;
  png: Uint8Array;
  width: number;
  height: number;
}

interface ImageDocument {
  _id: string;
  store: string;
  png: Binary;
  width: number;
  height: number;
  /** Last time that a record began to point here: clean-up leaves young files alone. */
  usedAt: Date;
}

export interface ImageFiles {
  /** Stores files, or marks them as used. Before the record that points to them is committed. */
  put(tenant: string, files: readonly ImageFile[]): Promise<void>;
  read(tenant: string, sha256s: readonly string[]): Promise<Map<string, ImageFile>>;
  /** Marks files as used that were not since `before`: records still point to them. */
  touch(keys: readonly string[], before: Date): Promise<void>;
  /** Drops files that were not marked as used since `before`. */
  forget(before: Date): Promise<number>;
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

    async touch(keys, before) {
      if (keys.length === 0) return;
      await files.updateMany({ _id: { $in: [...keys] }, usedAt: { $lt: before } }, { $set: { usedAt: now() } });
    },

    async forget(before) {
      const { deletedCount } = await files.deleteMany({ usedAt: { $lt: before } });
      return deletedCount;
    },
  };
}
