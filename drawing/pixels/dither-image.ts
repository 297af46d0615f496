import type { Color } from "../../schemas/color.ts";
import { rgb } from "./framebuffer.ts";
import { lightOf, oklab, type Tone, toneOf } from "./light.ts";
import { lookalikeIn, nearestToneIn, shownTones } from "./nearest-color.ts";

/** An image in 8-bit RGBA. */
export interface Bitmap {
  width: number;
  height: number;
  data: Uint8Array;
}

/** The value of a transparent pixel. */
export const TRANSPARENT = 255;
const OPAQUE_FROM = 128;

/** How shades that a palette lacks are drawn: not at all, as a pattern of dots, or with error diffusion. */
export type Dithering = "none" | "ordered" | "diffusion";

/**
 * Maps an image to a device's palette, one byte for each pixel. Each pixel takes the colour that looks most like it: with
 * `ordered`, after adding a fixed pattern (Bayer, 1973); with `diffusion`, after adding the error of its neighbours (Floyd and
 * Steinberg, 1976). Both calculate with light, so that the dots together are as bright as the shade. A pixel whose colour is
 * in the palette does not change.
 */
export function mapImage({ width, height, data }: Bitmap, palette: readonly Color[], dithering: Dithering): Uint8Array {
  const pixels = new Uint8Array(width * height);
  const lookalike = lookalikeIn(palette);
  const nearestTone = nearestToneIn(palette);
  const diffuse = dithering === "diffusion" ? createDiffusion({ width, height }, palette) : undefined;
  const own = new Map(palette.map((color, index) => [packed(...rgb[color]), index]).toReversed() as [number, number][]);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const pixel = y * width + x;
      const red = data[pixel * 4] as number;
      const green = data[pixel * 4 + 1] as number;
      const blue = data[pixel * 4 + 2] as number;
      if ((data[pixel * 4 + 3] as number) < OPAQUE_FROM) {
        pixels[pixel] = TRANSPARENT;
        continue;
      }
      const same = own.get(packed(red, green, blue));
      if (same !== undefined) pixels[pixel] = same;
      else if (dithering === "none") pixels[pixel] = lookalike(...oklab(lightOf(red, green, blue)));
      else {
        const tone = toneOf(lightOf(red, green, blue));
        pixels[pixel] = diffuse ? diffuse(x, y, tone) : nearestTone(tone[0] + thresholdAt(x, y), tone[1], tone[2]);
      }
    }
  }
  return pixels;
}

const packed = (red: number, green: number, blue: number): number => (red << 16) | (green << 8) | blue;

/**
 * A flat drawing has at most this many colours on at least this share of its pixels. The other pixels are the edges between these
 * colours.
 */
const MAX_FLAT_COLORS = 8;
const MIN_FLAT_PART = 0.8;

/**
 * Chooses dithering for an image: diffusion for a photograph, none for a logo or text, because dithering would fray their
 * edges.
 */
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

/**
 * Returns the threshold of a pixel in a pattern of 8 x 8 in which neighbours differ as much as possible: between -0.5 and
 * 0.5, and 0 on average.
 */
function thresholdAt(x: number, y: number): number {
  let index = 0;
  for (let bit = 0; bit < 3; bit += 1) {
    const [right, down] = [(x >> bit) & 1, (y >> bit) & 1];
    index = (index << 2) | ((right ^ down) << 1) | down;
  }
  return (index + 0.5) / 64 - 0.5;
}

/** Where a pixel's error goes: right and down in pixels, and the share. */
const neighbours = [
  [1, 0, 7 / 16],
  [-1, 1, 3 / 16],
  [0, 1, 5 / 16],
  [1, 1, 1 / 16],
] as const;

/**
 * Limits for errors in brightness and in colour. Larger errors are cut off. Dots of white and black produce every brightness,
 * but the error of a colour missing from the palette would accumulate without end and stain its surroundings.
 */
const MAX_ERRORS = [1, 0.5, 0.5] as const;
const bounded = (error: number, most: number): number => Math.min(most, Math.max(-most, error));

/** Chooses the colour of each pixel with the errors that reached it, and passes the remaining error to its neighbours. */
function createDiffusion({ width, height }: Omit<Bitmap, "data">, palette: readonly Color[]) {
  const nearestTone = nearestToneIn(palette);
  const errors = new Float64Array(width * height * 3);
  return (x: number, y: number, [brightness, red, blue]: Tone): number => {
    const at = (y * width + x) * 3;
    const wanted: Tone = [
      brightness + (errors[at] as number),
      red + (errors[at + 1] as number),
      blue + (errors[at + 2] as number),
    ];
    const index = nearestTone(...wanted);
    const shown = shownTones[palette[index] as Color];
    const lost: Tone = [
      bounded(wanted[0] - shown[0], MAX_ERRORS[0]),
      bounded(wanted[1] - shown[1], MAX_ERRORS[1]),
      bounded(wanted[2] - shown[2], MAX_ERRORS[2]),
    ];
    for (const [dx, dy, share] of neighbours) {
      if (x + dx < 0 || x + dx >= width || y + dy >= height) continue;
      const to = at + (dy * width + dx) * 3;
      errors[to] = (errors[to] as number) + lost[0] * share;
      errors[to + 1] = (errors[to + 1] as number) + lost[1] * share;
      errors[to + 2] = (errors[to + 2] as number) + lost[2] * share;
    }
    return index;
  };
}
