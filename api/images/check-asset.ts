import { PNG_SIGNATURE } from "../../drawing/pixels/png-chunks.ts";
import { type ImageType, imageLimits } from "../../schemas/asset.ts";
import { checkImage } from "./check-image.ts";
import { ImageFault, type ImageSize } from "./image-fault.ts";
import { checkSvg } from "./svg.ts";

const JPEG_SIGNATURE = Buffer.from([0xff, 0xd8, 0xff]);
const { maxSide, maxSvgBytes } = imageLimits;

/**
 * Returns the media type and size of an image for designs, found in the file itself. Throws an ImageFault unless it is a
 * PNG, a JPEG or an SVG that can be decoded safely and is within `imageLimits`. Nothing is decoded.
 */
export async function checkAssetImage(file: Buffer): Promise<ImageSize & { mediaType: ImageType }> {
  const mediaType = mediaTypeOf(file);
  if (mediaType === "image/svg+xml") {
    if (file.length > maxSvgBytes) throw new ImageFault(`is an SVG larger than ${maxSvgBytes / 1024} KiB`);
    return { mediaType, ...checkSvg(file) };
  }
  const { width, height } = await checkImage(file);
  if (Math.max(width, height) > maxSide)
    throw new ImageFault(`is ${width} x ${height} pixels, more than the maximum of ${maxSide} x ${maxSide}`);
  return { mediaType, width, height };
}

function mediaTypeOf(file: Buffer): ImageType {
  if (file.subarray(0, PNG_SIGNATURE.length).equals(PNG_SIGNATURE)) return "image/png";
  if (file.subarray(0, JPEG_SIGNATURE.length).equals(JPEG_SIGNATURE)) return "image/jpeg";
  if (/^\ufeff?\s*</.test(file.toString("utf8", 0, 256))) return "image/svg+xml";
  throw new ImageFault("is not a PNG, JPEG or SVG image");
}
