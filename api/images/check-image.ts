import { checkBmp } from "./bmp.ts";
import { checkGif } from "./gif.ts";
import { ImageFault } from "./image-fault.ts";
import { checkJpeg } from "./jpeg.ts";
import { checkPng } from "./png.ts";

interface Format {
  signature: Buffer;
  /** Throws where the file is not whole, or holds more than its header says. Nothing is decoded. */
  check(file: Buffer): void | Promise<void>;
}

/** By what a file begins with: a name or a content type may say anything. */
const formats: readonly Format[] = [
  { signature: Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), check: checkPng },
  { signature: Buffer.from([0xff, 0xd8, 0xff]), check: checkJpeg },
  { signature: Buffer.from("GIF8", "latin1"), check: checkGif },
  { signature: Buffer.from("BM", "latin1"), check: checkBmp },
];

/**
 * Throws an ImageFault where a file is not an image that can be decoded safely: a PNG, JPEG, BMP or GIF, whole, of at
 * most 4096 x 4096 pixels (design, section 6). A file of 48 kB may unpack to gigabytes: sizes are read from its headers,
 * and what it holds is measured against them before anybody decodes it.
 */
export async function checkImage(file: Buffer): Promise<void> {
  const format = formats.find(({ signature }) => file.subarray(0, signature.length).equals(signature));
  if (format === undefined) throw new ImageFault("is not a PNG, JPEG, BMP or GIF image");
  try {
    await format.check(file);
  } catch (error) {
    // A read behind the end of the file.
    if (error instanceof RangeError) throw new ImageFault("is truncated");
    throw error;
  }
}
