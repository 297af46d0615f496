import { inflateSync } from "node:zlib";
import type { Color } from "../../schemas/color.ts";
import { type Framebuffer, rgb } from "./framebuffer.ts";
import { PNG_SIGNATURE, readPngChunks } from "./png-chunks.ts";

/** Reads the pixels of a picture that the renderer encoded: 1, 2 or 4 bits per pixel, no filter, and the device's palette. */
export function readPicture(png: Uint8Array): Framebuffer {
  const bytes = Buffer.from(png.buffer, png.byteOffset, png.byteLength);
  if (!bytes.subarray(0, PNG_SIGNATURE.length).equals(PNG_SIGNATURE)) throw new Error("only PNG pictures can be read");
  const chunks = new Map(readPngChunks(bytes).map(({ type, content }) => [type, content]));
  const [header, colors, data] = ["IHDR", "PLTE", "IDAT"].map((type) => chunks.get(type));
  if (!header || !colors || !data) throw new Error("a PNG without header, palette or pixels is not from the renderer");
  const [width, height, depth] = [header.readUInt32BE(0), header.readUInt32BE(4), header.readUInt8(8)];
  return { width, height, palette: paletteOf(colors), pixels: unpack(inflateSync(data), width, height, depth) };
}

function paletteOf(colors: Buffer): Color[] {
  const known = Object.entries(rgb) as [Color, readonly number[]][];
  return Array.from({ length: colors.length / 3 }, (_, position) => {
    const found = known.find(([, parts]) => parts.every((part, index) => colors[position * 3 + index] === part));
    if (found === undefined)
      throw new Error(`the colour ${colors.toString("hex", position * 3, position * 3 + 3)} is not a label colour`);
    return found[0];
  });
}

/** Unpacks scanlines: each is a filter byte (none) and packed pixels. */
function unpack(packed: Buffer, width: number, height: number, depth: number): Uint8Array {
  const pixels = new Uint8Array(width * height);
  const stride = Math.ceil((width * depth) / 8) + 1;
  const mask = (1 << depth) - 1;
  for (let row = 0; row < height; row += 1) {
    for (let column = 0; column < width; column += 1) {
      const bit = column * depth;
      const byte = packed[row * stride + 1 + (bit >> 3)] as number;
      pixels[row * width + column] = (byte >> (8 - depth - (bit & 7))) & mask;
    }
  }
  return pixels;
}
