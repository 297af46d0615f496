import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createInflate } from "node:zlib";
import { readPngChunks } from "../../drawing/pixels/png-chunks.ts";
import { checkSize, ImageFault, type ImageSize } from "./image-fault.ts";

interface Header {
  width: number;
  height: number;
  bitsPerPixel: number;
  isInterlaced: boolean;
}

/** Bit depths and samples per pixel, by colour type (W3C PNG, third edition, section 11.2.1). */
const colorTypes = new Map([
  [0, { depths: [1, 2, 4, 8, 16], samples: 1 }],
  [2, { depths: [8, 16], samples: 3 }],
  [3, { depths: [1, 2, 4, 8], samples: 1 }],
  [4, { depths: [8, 16], samples: 2 }],
  [6, { depths: [8, 16], samples: 4 }],
]);

/** First column and row of each pass of an interlaced image, and the steps between columns and rows (section 8.1). */
const passes = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

/**
 * Throws an ImageFault unless every chunk is complete and the pixels decompress to exactly the size that the header
 * declares.
 */
export async function checkPng(file: Buffer): Promise<ImageSize> {
  const data: Buffer[] = [];
  const types = new Set<string>();
  let header: Header | undefined;
  for (const { type, content } of readPngChunks(file)) {
    if (types.size === 0 && type === "IHDR") header = readHeader(content);
    if (type === "IDAT") data.push(content);
    types.add(type);
  }
  if (header === undefined) throw new ImageFault("is not a PNG: it does not begin with its header");
  if (!types.has("IEND") || data.length === 0) throw new ImageFault("is truncated");
  if (types.has("acTL")) throw new ImageFault("is an animated PNG: send a still image");
  const expected = unpackedSize(header);
  const unpacked = await measure(data, expected);
  if (unpacked > expected) throw new ImageFault("contains more pixels than its header declares");
  if (unpacked < expected) throw new ImageFault("is truncated");
  return { width: header.width, height: header.height };
}

function readHeader(content: Buffer): Header {
  const [width, height] = [content.readUInt32BE(0), content.readUInt32BE(4)];
  const [depth = 0, colorType = 0, compression, filter, interlace] = content.subarray(8);
  checkSize(width, height);
  const color = colorTypes.get(colorType);
  if (!color?.depths.includes(depth) || compression !== 0 || filter !== 0 || (interlace !== 0 && interlace !== 1))
    throw new ImageFault("is a PNG with an invalid colour type or bit depth");
  return { width, height, bitsPerPixel: depth * color.samples, isInterlaced: interlace === 1 };
}

/** Size in bytes of all scanlines, each with its filter byte. */
function unpackedSize({ width, height, bitsPerPixel, isInterlaced }: Header): number {
  const bytes = (columns: number, rows: number) =>
    columns === 0 || rows === 0 ? 0 : rows * (1 + Math.ceil((columns * bitsPerPixel) / 8));
  if (!isInterlaced) return bytes(width, height);
  return passes.reduce(
    (sum, [x, y, dx, dy]) =>
      sum + bytes(Math.max(0, Math.ceil((width - x) / dx)), Math.max(0, Math.ceil((height - y) / dy))),
    0,
  );
}

/** Decompressed size in bytes. The output is counted and discarded, and decompression stops beyond the limit. */
async function measure(data: readonly Buffer[], maxBytes: number): Promise<number> {
  let bytes = 0;
  try {
    await pipeline(Readable.from(data), createInflate({ chunkSize: 2 ** 16 }), async (unpacked) => {
      for await (const part of unpacked) {
        bytes += (part as Buffer).length;
        if (bytes > maxBytes) return;
      }
    });
  } catch (error) {
    const { code = "" } = error as { code?: string };
    if (code === "Z_BUF_ERROR") throw new ImageFault("is truncated");
    if (code.startsWith("Z_")) throw new ImageFault("is damaged");
    if (bytes <= maxBytes) throw error;
  }
  return bytes;
}
