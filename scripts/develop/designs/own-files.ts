import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { extname, parse } from "node:path";
import { FileFault } from "../../../api/body/refuse-file.ts";
import { checkFont } from "../../../api/fonts/check-font.ts";
import type { NamedFont } from "../../../drawing/canvas/faces.ts";
import type { NamedImage } from "../../../drawing/canvas/painting.ts";
import { decodeImage } from "../../../drawing/decoding/decode-image.ts";
import { addFace } from "../../../drawing/text/fonts.ts";
import { createImageCache } from "../../../drawing/thread/image-cache.ts";
import { readFont } from "../../../drawing/thread/read-font.ts";
import { type ImageType, imageLimits } from "../../../schemas/asset.ts";

const types: Readonly<Record<string, ImageType>> = {
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".svg": "image/svg+xml",
};

export const isImageFile = (file: string): boolean => Object.hasOwn(types, extname(file).toLowerCase());

/**
 * Reads images as the workers do, and names each after its file, without the extension. An image that cannot be decoded results
 * in a fault.
 */
export async function readImages(files: readonly string[]): Promise<Map<string, NamedImage>> {
  const images = new Map<string, NamedImage>();
  const cache = createImageCache();
  for (const file of files) {
    const mediaType = types[extname(file).toLowerCase()] as ImageType;
    try {
      const order = { isSvg: mediaType === "image/svg+xml", maxSide: imageLimits.maxKeptSide };
      const { png } = await decodeImage({ file: await readFile(file), ...order });
      await cache.add({ key: file, content: png });
      images.set(parse(file).name, { file, bitmap: cache.get(file) });
    } catch (error) {
      images.set(parse(file).name, { fault: `it cannot be decoded: ${error}` });
    }
  }
  return images;
}

export const isFontFile = (file: string): boolean => /\.[to]tf$/i.test(file);

/** Reads fonts like the API and the workers, each under its file's name without the extension. A rejected font has a fault. */
export async function readFonts(files: readonly string[]): Promise<Map<string, NamedFont>> {
  const fonts = new Map<string, NamedFont>();
  for (const file of files) {
    const content = await readFile(file);
    try {
      checkFont(content);
      const { readableFrom } = readFont(content);
      // Named after its content's hash, since the file may change while it is watched.
      const face = createHash("sha256").update(content).digest("hex");
      addFace(face, content, readableFrom);
      fonts.set(parse(file).name, { face });
    } catch (error) {
      const { message } = error as Error;
      const fault = error instanceof FileFault ? `it ${message}` : `it cannot be decoded: ${message}`;
      fonts.set(parse(file).name, { fault });
    }
  }
  return fonts;
}
