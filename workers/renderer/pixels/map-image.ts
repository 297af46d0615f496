import type { Color } from "../../../schemas/tenant.ts";
import { nearestColorIndex } from "./colors.ts";
import { rgb } from "./framebuffer.ts";

/** An image in 8-bit RGBA. */
export interface Bitmap {
  width: number;
  height: number;
  data: Uint8Array;
}

/** The value of a transparent pixel. */
export const TRANSPARENT = 255;
const OPAQUE_FROM = 128;

/** How shades that a palette lacks are shown: not at all, by a pattern of dots, or by error diffusion. */
export type Dithering = "none" | "ordered" | "diffusion";

/** Caches mapped images by palette and dithering: a design shows the same image on every label. */
const mapped = new WeakMap<Bitmap, Map<string, Uint8Array>>();

/** Maps an image as `mapImage` does, once for each palette and dithering. */
export function mappedImage(bitmap: Bitmap, palette: readonly Color[], dithering: Dithering): Uint8Array {
  const cached = mapped.get(bitmap) ?? new Map<string, Uint8Array>();
  mapped.set(bitmap, cached);
  const key = `${palette.join(" ")} ${dithering}`;
  const pixels = cached.get(key) ?? mapImage(bitmap, palette, dithering);
  cached.set(key, pixels);
  return pixels;
}

/**
 * Maps an image to a device's palette, one byte for each pixel. Each pixel takes the nearest colour: with `ordered`
 * after adding a fixed pattern (Bayer, 1973), with `diffusion` after adding the error of its neighbours (Floyd and
 * Steinberg, 1976). A pixel whose colour is in the palette is not changed by `ordered`.
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

/**
 * A flat drawing has at most this many colours on at least this part of its pixels; the other pixels are edges between
 * them.
 */
const MAX_FLAT_COLORS = 8;
const MIN_FLAT_PART = 0.8;

/** Chooses dithering for an image: diffusion for a photograph; none for a logo or a text, whose edges it would fray. */
export function ditheringFor({ data }: Bitmap): Dithering {
  const counts = new Uint32Array(1 << 15);
  let counted = 0;
  for (let at = 0; at < data.length; at += 4) {
    const [red, green, blue] = [data[at] as number, data[at + 1] as number, data[at + 2] as number];
    // White does not count: margins say nothing about the image inside them.
    if ((data[at + 3] as number) < OPAQUE_FROM || Math.min(red, green, blue) >= 248) continue;
    const bin = ((red >> 3) << 10) | ((green >> 3) << 5) | (blue >> 3);
    counts[bin] = (counts[bin] as number) + 1;
    counted += 1;
  }
  const largest = counts.toSorted().subarray(-MAX_FLAT_COLORS);
  return largest.reduce((sum, count) => sum + count, 0) >= counted * MIN_FLAT_PART ? "none" : "diffusion";
}

function isShown(data: Uint8Array, at: number, color: Color): boolean {
  const [red, green, blue] = rgb[color];
  return data[at] === red && data[at + 1] === green && data[at + 2] === blue;
}

/**
 * The threshold of a pixel in a pattern of 8 x 8 in which neighbours differ as much as possible: between -0.5 and 0.5,
 * 0 on average.
 */
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
