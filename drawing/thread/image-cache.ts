import { Jimp } from "jimp";
import { LRUCache } from "lru-cache";
import type { Bitmap } from "../pixels/dither-image.ts";
import type { LoadedFile } from "./drawing-order.ts";

export interface ImageCache {
  /** Decodes an image file and keeps it. */
  add(file: LoadedFile): Promise<void>;
  has(key: string): boolean;
  /** Returns the decoded file. Undefined if it is missing. */
  get(key: string): Bitmap | undefined;
}

/** Maximum size of the decoded images, in bytes. All images of a drawing order must fit. */
const MAX_BYTES = 256 * 1024 * 1024;

/** Caches the most recently used decoded images. */
export function createImageCache(maxBytes = MAX_BYTES): ImageCache {
  const decoded = new LRUCache<string, { bitmap: Bitmap | undefined }>({
    maxSize: maxBytes,
    sizeCalculation: ({ bitmap }) => (bitmap?.data.length ?? 0) + 1,
  });
  return {
    has: (key) => decoded.has(key),
    get: (key) => decoded.get(key)?.bitmap,
    async add({ key, content }) {
      decoded.set(key, { bitmap: content && (await decode(content)) });
    },
  };
}

async function decode(png: Uint8Array): Promise<Bitmap> {
  const { width, height, data } = (await Jimp.read(Buffer.from(png))).bitmap;
  return { width, height, data };
}
