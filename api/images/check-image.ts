import { PNG_SIGNATURE, PngError } from "../../drawing/pixels/png-chunks.ts";
import { checkBmp } from "./bmp.ts";
import { checkGif } from "./gif.ts";
import { ImageFault, type ImageSize } from "./image-fault.ts";
import { checkJpeg } from "./jpeg.ts";
import { checkPng } from "./png.ts";

interface Format {
  signature: Buffer;
  /**
   * Returns the image's size without decoding its pixels. Throws an ImageFault if the file is truncated or holds more
   * than its header declares.
   */
  check(file: Buffer): ImageSize | Promise<ImageSize>;
}

/** Formats by their signature, since a file's name and content type are not trusted. */
const formats: readonly Format[] = [
  { signature: PNG_SIGNATURE, check: checkPng },
  { signature: Buffer.from([0xff, 0xd8, 0xff]), check: checkJpeg },
  { signature: Buffer.from("GIF8", "latin1"), check: checkGif },
  { signature: Buffer.from("BM", "latin1"), check: checkBmp },
];

/**
 * Throws an ImageFault unless a file is an image that can be decoded safely: a complete PNG, JPEG, BMP or GIF of at most
 * 4096 x 4096 pixels. A file of 48 kB may decompress to gigabytes, so its contents are compared with its header before
 * any decoder reads it (docs/decisions/uploads/measured-before-decoding.md). Returns the image's size.
 */
export async function checkImage(file: Buffer): Promise<ImageSize> {
  const format = formats.find(({ signature }) => file.subarray(0, signature.length).equals(signature));
  if (format === undefined) throw new ImageFault("is not a PNG, JPEG, BMP or GIF image");
  try {
    return await format.check(file);
  } catch (error) {
    // The file ended during a read.
    if (error instanceof RangeError) throw new ImageFault("is truncated");
    if (error instanceof PngError) throw new ImageFault(error.message);
    throw error;
  }
}
