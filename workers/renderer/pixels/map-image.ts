import type { Color } from "../../../schemas/tenant.ts";
import { nearestColorIndex } from "./colors.ts";
import { rgb } from "./framebuffer.ts";

/** An image in 8-bit RGBA. */
export interface Bitmap {
  width: number;
  height: number;
  data: Uint8Array;
}

/** A pixel that shows what is behind the image. */
export const TRANSPARENT = 255;
const OPAQUE_FROM = 128;

/** How shades are shown that a palette lacks: not, by a pattern of dots, or by spreading what is amiss. */
export type Dithering = "none" | "ordered" | "diffusion";

/** What became of an image in each palette: a design shows the same one on every label. */
const mapped = new WeakMap<Bitmap, Map<string, Uint8Array>>();

/** An image in a device's palette as `mapImage` makes it, once for each palette. */
export function mappedImage(bitmap: Bitmap, palette: readonly Color[], dithering: Dithering): Uint8Array {
  const kept = mapped.get(bitmap) ?? new Map<string, Uint8Array>();
  mapped.set(bitmap, kept);
  const key = `${palette.join(" ")} ${dithering}`;
  const pixels = kept.get(key) ?? mapImage(bitmap, palette, dithering);
  kept.set(key, pixels);
  return pixels;
}

/**
 * An image in a device's palette, one byte a pixel. Each pixel takes the nearest colour: of its own; with `ordered` of one
 * made lighter or darker by a fixed pattern (Bayer, 1973); with `diffusion` of one that makes up for what is amiss with
 * its neighbours (Floyd and Steinberg, 1976). A pixel of a colour that the device has stays as it is.
 */
export function mapImage({ width, height, data }: Bitmap, palette: readonly Color[], dithering: Dithering): Uint8Array {
  const pixels = new Uint8Array(width * height);
  const values = Float32Array.from(data);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const at = (y * width + x) * 4;
      if ((data[at + 3] as number) < OPAQUE_FROM) {
        pixels[y * width + x] = TRANSPARENT;
        continue;
      }
      const [red, green, blue] = [values[at] as number, values[at + 1] as number, values[at + 2] as number];
      let index = nearestColorIndex(red, green, blue, palette);
      if (dithering === "ordered" && !isShown(data, at, palette[index] as Color)) {
        const lighter = thresholdAt(x, y) * 255;
        index = nearestColorIndex(red + lighter, green + lighter, blue + lighter, palette);
      }
      pixels[y * width + x] = index;
      if (dithering === "diffusion") {
        spread(values, width, height, x, y, [red, green, blue], rgb[palette[index] as Color]);
      }
    }
  }
  return pixels;
}

/** Colours that a flat drawing may have, and how much of it they cover at least; the rest are the edges between them. */
const FLAT_COLORS = 8;
const FLAT_PART = 0.8;

/** Whether an image needs dithering: a photograph does, a logo or a text would be frayed by it. */
export function ditheringFor({ data }: Bitmap): Dithering {
  const counts = new Uint32Array(1 << 15);
  let counted = 0;
  for (let at = 0; at < data.length; at += 4) {
    const [red, green, blue] = [data[at] as number, data[at + 1] as number, data[at + 2] as number];
    // White is paper, and margins say nothing of what they surround.
    if ((data[at + 3] as number) < OPAQUE_FROM || Math.min(red, green, blue) >= 248) continue;
    const bin = ((red >> 3) << 10) | ((green >> 3) << 5) | (blue >> 3);
    counts[bin] = (counts[bin] as number) + 1;
    counted += 1;
  }
  const most = counts.toSorted().subarray(-FLAT_COLORS);
  return most.reduce((sum, count) => sum + count, 0) >= counted * FLAT_PART ? "none" : "diffusion";
}

function isShown(data: Uint8Array, at: number, color: Color): boolean {
  const [red, green, blue] = rgb[color];
  return data[at] === red && data[at + 1] === green && data[at + 2] === blue;
}

/** A pattern of 8 x 8 in which neighbours differ as much as can be: between -0.5 and 0.5, and 0 on the whole. */
function thresholdAt(x: number, y: number): number {
  let index = 0;
  for (let bit = 0; bit < 3; bit += 1) {
    const [right, down] = [(x >> bit) & 1, (y >> bit) & 1];
    index = (index << 2) | ((right ^ down) << 1) | down;
  }
  return (index + 0.5) / 64 - 0.5;
}

const neighbours = [
  [1, 0, 7 / 16],
  [-1, 1, 3 / 16],
  [0, 1, 5 / 16],
  [1, 1, 1 / 16],
] as const;

function spread(
  values: Float32Array,
  width: number,
  height: number,
  x: number,
  y: number,
  wanted: readonly number[],
  shown: readonly number[],
): void {
  for (const [dx, dy, share] of neighbours) {
    if (x + dx < 0 || x + dx >= width || y + dy >= height) continue;
    const at = ((y + dy) * width + x + dx) * 4;
    for (let channel = 0; channel < 3; channel += 1) {
      values[at + channel] =
        (values[at + channel] as number) + ((wanted[channel] as number) - (shown[channel] as number)) * share;
    }
  }
}
