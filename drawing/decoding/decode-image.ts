import { createHash } from "node:crypto";
import type { ImageFile } from "../../schemas/image-file.ts";

/** An uploaded image. */
export interface ImageOrder {
  file: Uint8Array;
  isSvg: boolean;
  /** Maximum length of the stored image's longer side, in pixels. */
  maxSide: number;
}

/**
 * Converts an image to a PNG that the drawing threads read quickly, at most `maxSide` pixels wide and high. A photograph is
 * rotated according to its EXIF data. Throws if it cannot be decoded.
 */
export async function decodeImage({ file, isSvg, maxSide }: ImageOrder): Promise<ImageFile> {
  const { png, width, height } = isSvg ? await drawVector(file, maxSide) : await reduce(file, maxSide);
  return { sha256: createHash("sha256").update(png).digest("hex"), png, width, height };
}

async function drawVector(file: Uint8Array, maxSide: number): Promise<Omit<ImageFile, "sha256">> {
  const { drawSvg } = await import("./draw-svg.ts");
  return drawSvg(file, maxSide);
}

async function reduce(file: Uint8Array, maxSide: number): Promise<Omit<ImageFile, "sha256">> {
  const { Jimp } = await import("jimp");
  const image = await Jimp.read(Buffer.from(file));
  if (Math.max(image.width, image.height) > maxSide) image.scaleToFit({ w: maxSide, h: maxSide });
  return { png: await image.getBuffer("image/png"), width: image.width, height: image.height };
}
