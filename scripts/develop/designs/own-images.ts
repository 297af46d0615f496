import { readFile } from "node:fs/promises";
import { extname, parse } from "node:path";
import type { ImageType } from "../../../schemas/asset.ts";
import { decodeImage } from "../../../workers/pages/assets/decode-image.ts";
import type { NamedImage } from "../../../workers/renderer/canvas/paint-element.ts";
import { createImageCache } from "../../../workers/renderer/thread/image-cache.ts";

const types: Readonly<Record<string, ImageType>> = {
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".svg": "image/svg+xml",
};

export const isImageFile = (file: string): boolean => Object.hasOwn(types, extname(file).toLowerCase());

/** Reads images as the workers do, each by its file's name without the ending. One that cannot be decoded has a fault. */
export async function readImages(files: readonly string[]): Promise<Map<string, NamedImage>> {
  const images = new Map<string, NamedImage>();
  const cache = createImageCache();
  for (const file of files) {
    const mediaType = types[extname(file).toLowerCase()] as ImageType;
    try {
      const { png } = await decodeImage({ file: await readFile(file), mediaType });
      await cache.add({ key: file, content: png });
      images.set(parse(file).name, { file, bitmap: cache.get(file) });
    } catch (error) {
      images.set(parse(file).name, { fault: `it cannot be decoded: ${error}` });
    }
  }
  return images;
}
