import { deflateSync } from "node:zlib";
import { type Framebuffer, rgb } from "./framebuffer.ts";
import { PNG_SIGNATURE, writePngChunk } from "./png-chunks.ts";

const INDEXED = 3;
/** Label pictures are small and flat: a higher level or a larger window costs time and saves no bytes. */
const DEFLATE = { level: 3, windowBits: 12, memLevel: 6, chunkSize: 4096 };

const END = writePngChunk("IEND", Buffer.alloc(0));

type Depth = 1 | 2 | 4;

/**
 * Encodes a PNG with exactly the device's palette, at 1, 2 or 4 bits per pixel (W3C PNG, third edition, sections 5 and 11).
 * `values` are the RGB values of the palette's colours in the file.
 */
export function encodePng({ width, height, palette, pixels }: Framebuffer, values = rgb): Buffer {
  const depth = palette.length <= 2 ? 1 : palette.length <= 4 ? 2 : 4;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = depth;
  header[9] = INDEXED;
  const colors = Uint8Array.from(palette.flatMap((color) => values[color]));
  const scanlines = pack(pixels, width, height, depth);
  return Buffer.concat([
    PNG_SIGNATURE,
    writePngChunk("IHDR", header),
    writePngChunk("PLTE", colors),
    writePngChunk("IDAT", deflateSync(scanlines, DEFLATE)),
    END,
  ]);
}

/** Packs pixels into scanlines, each after its filter byte (none, because filters do not help flat pictures). */
function pack(pixels: Uint8Array, width: number, height: number, depth: Depth): Uint8Array {
  const stride = Math.ceil((width * depth) / 8);
  const packed = new Uint8Array((stride + 1) * height);
  if (width % 8 === 0 && pixels.byteOffset % 8 === 0) packEights(packed, pixels, width, height, depth, stride);
  else if (width % 4 === 0) packQuads(packed, pixels, width, height, depth, stride);
  else packPixels(packed, pixels, width, height, depth, stride);
  return packed;
}

type Packing = typeof packPixels;

/** Skips background pixels, which need no write, eight at a time: read as one number, only eight background pixels are 0. */
const packEights: Packing = (packed, pixels, width, height, depth, stride) => {
  const { buffer, byteOffset, length } = pixels;
  const eights = new Float64Array(buffer, byteOffset, length / 8);
  const quads = new Uint32Array(buffer, byteOffset, length / 4);
  const perRow = width / 8;
  let index = 0;
  for (let row = 0; row < height; row += 1) {
    const to = row * (stride + 1) + 1;
    for (let column = 0; column < perRow; column += 1, index += 1) {
      if (eights[index] === 0) continue;
      packQuad(packed, to, 2 * column, quads[2 * index] as number, depth);
      packQuad(packed, to, 2 * column + 1, quads[2 * index + 1] as number, depth);
    }
  }
};

const packQuads: Packing = (packed, pixels, width, height, depth, stride) => {
  const quads = new Uint32Array(pixels.buffer, pixels.byteOffset, pixels.length / 4);
  const perRow = width / 4;
  let index = 0;
  for (let row = 0; row < height; row += 1) {
    const to = row * (stride + 1) + 1;
    for (let column = 0; column < perRow; column += 1, index += 1) {
      const quad = quads[index] as number;
      if (quad !== 0) packQuad(packed, to, column, quad, depth);
    }
  }
};

const SIDE_BY_SIDE = 0x40_10_04_01;

/** Packs four pixels, which are read as one little-endian integer. */
function packQuad(packed: Uint8Array, to: number, column: number, quad: number, depth: Depth): void {
  if (depth === 4) {
    packed[to + 2 * column] = ((quad & 15) << 4) | ((quad >> 8) & 15);
    packed[to + 2 * column + 1] = ((quad >> 12) & 0xf0) | (quad >>> 24);
  } else if (depth === 2) {
    // The product's highest byte contains the four pixels side by side, the first in its highest bits.
    packed[to + column] = Math.imul(quad, SIDE_BY_SIDE) >>> 24;
  } else {
    const nibble = ((quad & 1) << 3) | ((quad >> 6) & 4) | ((quad >> 15) & 2) | (quad >>> 24);
    const at = to + (column >> 1);
    packed[at] = (packed[at] as number) | (column % 2 === 0 ? nibble << 4 : nibble);
  }
}

function packPixels(
  packed: Uint8Array,
  pixels: Uint8Array,
  width: number,
  height: number,
  depth: Depth,
  stride: number,
): void {
  for (let row = 0; row < height; row += 1) {
    for (let column = 0; column < width; column += 1) {
      const bit = column * depth;
      const at = row * (stride + 1) + 1 + (bit >> 3);
      const pixel = pixels[row * width + column] as number;
      packed[at] = (packed[at] as number) | (pixel << (8 - depth - (bit & 7)));
    }
  }
}
