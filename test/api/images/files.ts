import { crc32, deflateSync } from "node:zlib";
import { Jimp } from "jimp";

/** Valid images, and files with false headers. */
const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

export function pngChunk(type: string, content: Uint8Array): Buffer {
  const bytes = Buffer.alloc(content.length + 12);
  bytes.writeUInt32BE(content.length, 0);
  bytes.write(type, 4, "latin1");
  bytes.set(content, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, content.length + 8)), content.length + 8);
  return bytes;
}

interface PngOptions {
  depth?: number;
  colorType?: number;
  interlace?: number;
  /** The decompressed pixel bytes; by default a black picture of 8-bit grey. */
  pixels?: Uint8Array;
  more?: Buffer[];
}

/** Returns a PNG assembled from parts, so that its header need not match its pixels. */
export function pngOf(width: number, height: number, options: PngOptions = {}): Buffer {
  const { depth = 8, colorType = 0, interlace = 0, pixels = new Uint8Array(height * (width + 1)), more = [] } = options;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([depth, colorType, 0, 0, interlace], 8);
  const data = pngChunk("IDAT", deflateSync(pixels, { level: 9 }));
  return Buffer.concat([PNG_SIGNATURE, pngChunk("IHDR", header), ...more, data, pngChunk("IEND", Buffer.alloc(0))]);
}

/** Returns a GIF of one colour; its frame may claim to be larger than its screen. */
export function gifOf(width: number, height: number, frame: [width: number, height: number] = [width, height]): Buffer {
  const screen = Buffer.alloc(7);
  screen.writeUInt16LE(width, 0);
  screen.writeUInt16LE(height, 2);
  screen[4] = 0x80;
  const image = Buffer.alloc(10);
  image[0] = 0x2c;
  image.writeUInt16LE(frame[0], 5);
  image.writeUInt16LE(frame[1], 7);
  const colors = Buffer.from([255, 0, 0, 255, 255, 255]);
  // The clear code, as many zeros as the first block holds, and the end of information: enough for one pixel.
  const data = Buffer.from([2, 2, 0x44, 0x01, 0]);
  return Buffer.concat([Buffer.from("GIF89a"), screen, colors, image, data, Buffer.from([0x3b])]);
}

const colored = (width: number, height: number, color = 0xff0000ff) => new Jimp({ width, height, color });

/** Images as common programs write them. */
export const images = {
  PNG: (width: number, height: number, color?: number) => colored(width, height, color).getBuffer("image/png"),
  JPEG: (width: number, height: number, color?: number) => colored(width, height, color).getBuffer("image/jpeg"),
  BMP: (width: number, height: number, color?: number) => colored(width, height, color).getBuffer("image/bmp"),
  GIF: (width: number, height: number, color?: number) => colored(width, height, color).getBuffer("image/gif"),
};

/** Copies the bytes with some of them replaced. */
export function patched(file: Buffer, at: number, bytes: readonly number[]): Buffer {
  const copy = Buffer.from(file);
  copy.set(bytes, at);
  return copy;
}

/** Returns the position of a JPEG's frame header. */
export const frameOf = (jpeg: Buffer): number => jpeg.indexOf(Buffer.from([0xff, 0xc0]));
