import { checkSize, ImageFault, type ImageSize } from "./image-fault.ts";

/** Sizes in bytes of the known header versions, BITMAPINFOHEADER and later. */
const headers = new Set([40, 52, 56, 108, 124]);
const depths = new Set([1, 4, 8, 16, 24, 32]);
/** BI_RLE8 and BI_RLE4: the length of the pixel data is not known from the header. */
const packed = new Set([1, 2]);
/** BI_RGB, BI_BITFIELDS, BI_ALPHABITFIELDS. */
const plain = new Set([0, 3, 6]);

/** Throws an ImageFault unless the file contains all pixels that its header declares. */
export function checkBmp(file: Buffer): ImageSize {
  const start = file.readUInt32LE(10);
  if (!headers.has(file.readUInt32LE(14))) throw new ImageFault("is an unsupported kind of BMP");
  const [width, height] = [file.readInt32LE(18), Math.abs(file.readInt32LE(22))];
  const [depth, compression] = [file.readUInt16LE(28), file.readUInt32LE(30)];
  const size = checkSize(width, height);
  if (!depths.has(depth) || !(packed.has(compression) || plain.has(compression)))
    throw new ImageFault("is an unsupported kind of BMP");
  if (file.readUInt32LE(46) > 2 ** 16) throw new ImageFault("is damaged: its palette is too large");
  const row = Math.ceil((width * depth) / 32) * 4;
  const end = packed.has(compression) ? start + 2 : start + row * height;
  if (end > file.length) throw new ImageFault("is truncated");
  return size;
}
