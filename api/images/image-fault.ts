/** Thrown where a file is not an image that is taken; the message says what is wrong with it, and may be shown. */
export class ImageFault extends Error {
  override readonly name = "ImageFault";
}

const MAX_PIXELS = 4096;

/** Refuses sizes that are not taken, before anything of an image is decoded. */
export function checkSize(width: number, height: number): void {
  if (width < 1 || height < 1) throw new ImageFault(`has no pixels: its header says ${width} x ${height}`);
  if (width > MAX_PIXELS || height > MAX_PIXELS) {
    throw new ImageFault(`is ${width} x ${height} pixels: at most ${MAX_PIXELS} x ${MAX_PIXELS} are taken`);
  }
}
