import { bodyLimits } from "../body/body-limits.ts";
import { FileFault } from "../body/refuse-file.ts";

/** Thrown if a file is refused as an image. */
export class ImageFault extends FileFault {
  override readonly name = "ImageFault";
}

const { maxSide } = bodyLimits.upload;

/** Width and height of an image, in pixels. */
export interface ImageSize {
  width: number;
  height: number;
}

/** Throws unless the width and height that an image's header declares are 1 to maxSide pixels. */
export function checkSize(width: number, height: number): ImageSize {
  if (width < 1 || height < 1) throw new ImageFault(`has no pixels: its header declares ${width} x ${height}`);
  if (width > maxSide || height > maxSide) {
    throw new ImageFault(`is ${width} x ${height} pixels, more than the maximum of ${maxSide} x ${maxSide}`);
  }
  return { width, height };
}
