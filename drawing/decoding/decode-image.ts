import { createHash } from "node:crypto";
import { Jimp } from "jimp";
import { type ImageType, imageLimits } from "../../schemas/asset.ts";
import type { ImageFile } from "../../schemas/image-file.ts";
import { drawSvg } from "./draw-svg.ts";

/** An image as it was sent. */
export interface ImageOrder {
  file: Uint8Array;
  mediaType: ImageType;
}

const { maxKeptSide } = imageLimits;

/**
 * Decodes an image, at most `maxKeptSide` pixels wide and high, as a PNG that the drawing threads read quickly. A photograph is
 * rotated by its EXIF data. Throws if it cannot be decoded.
 */
export async function decodeImage({ file, mediaType }: ImageOrder): Promise<ImageFile> {
  const { png, width, height } = mediaType === "image/svg+xml" ? await drawSvg(file, maxKeptSide) : await reduce(file);
  return { sha256: createHash("sha256").update(png).digest("hex"), png, width, height };
}

async function reduce(file: Uint8Array): Promise<Omit<ImageFile, "sha256">> {
  const image = await Jimp.read(Buffer.from(file));
  if (Math.max(image.width, image.height) > maxKeptSide) image.scaleToFit({ w: maxKeptSide, h: maxKeptSide });
  return { png: await image.getBuffer("image/png"), width: image.width, height: image.height };
}
