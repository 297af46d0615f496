import { limits } from "../http/limits.ts";

/** Thrown where a file is not an image that is taken; the message says what is wrong with it, and may be shown. */
export class ImageFault extends Error {
  override readonly name = "ImageFault";
}

const { maxSide } = limits.upload;

/** Refuses sizes that are not taken, before anything of an image is decoded. */
export function checkSize(width: number, height: number): void {
  if (width < 1 || height < 1) throw new ImageFault(`has no pixels: its header says ${width} x ${height}`);
  if (width > maxSide || height > maxSide) {
    throw new ImageFault(`is ${width} x ${height} pixels: at most ${maxSide} x ${maxSide} are taken`);
  }
}
