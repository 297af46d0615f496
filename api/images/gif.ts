import { checkSize, ImageFault, type ImageSize } from "./image-fault.ts";

const EXTENSION = 0x21;
const IMAGE = 0x2c;
const TRAILER = 0x3b;

/**
 * Throws an ImageFault unless a GIF is complete up to its trailer and each frame is within the screen declared in the
 * header (GIF89a, sections 17 to 27), because decoders allocate the size that a frame declares.
 */
export function checkGif(file: Buffer): ImageSize {
  if (!["GIF87a", "GIF89a"].includes(file.toString("latin1", 0, 6))) throw new ImageFault("has an unknown GIF version");
  const [width, height] = [file.readUInt16LE(6), file.readUInt16LE(8)];
  const size = checkSize(width, height);
  let hasImage = false;
  let at = 13 + tableSize(file.readUInt8(10));
  for (;;) {
    const kind = file.readUInt8(at);
    if (kind === TRAILER) break;
    if (kind === EXTENSION) at = endOfBlocks(file, at + 2);
    else if (kind === IMAGE) {
      const [left, top] = [file.readUInt16LE(at + 1), file.readUInt16LE(at + 3)];
      const [columns, rows] = [file.readUInt16LE(at + 5), file.readUInt16LE(at + 7)];
      if (left + columns > width || top + rows > height)
        throw new ImageFault("contains a frame larger than its header allows");
      at = endOfBlocks(file, at + 11 + tableSize(file.readUInt8(at + 9)));
      hasImage = true;
    } else throw new ImageFault("is damaged");
  }
  if (!hasImage) throw new ImageFault("is damaged: it contains no pixels");
  return size;
}

/** Size of a colour table in bytes, from the packed field that describes it. */
const tableSize = (packed: number): number => (packed & 0x80 ? 3 * 2 ** ((packed & 7) + 1) : 0);

function endOfBlocks(file: Buffer, from: number): number {
  let at = from;
  for (let size = file.readUInt8(at); size > 0; size = file.readUInt8(at)) at += 1 + size;
  return at + 1;
}
