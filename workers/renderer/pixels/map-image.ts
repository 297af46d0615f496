import type { Color } from "../../../schemas/tenant.ts";
import { lookalikeIndex, nearestToneIndex, shownTones } from "./colors.ts";
import { rgb } from "./framebuffer.ts";
import { lightOf, type Tone, toneOf } from "./light.ts";

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
 * Maps an image to a device's palette, one byte for each pixel. Each pixel takes the colour that looks most like it: with
 * `ordered` after adding a fixed pattern (Bayer, 1973), with `diffusion` after adding the error of its neighbours (Floyd and
 * Steinberg, 1976). Both count in light, so that dots give as much light as the shade has. A pixel whose colour is in the
 * palette is not changed.
 */
export function mapImage({ width, height, data }: Bitmap, palette: readonly Color[], dithering: Dithering): Uint8Array {
  const pixels = new Uint8Array(width * height);
  const errors = new Float64Array(dithering === "diffusion" ? width * height * 3 : 0);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const pixel = y * width + x;
      const [red = 0, green = 0, blue = 0, alpha = 0] = data.subarray(pixel * 4, pixel * 4 + 4);
      if (alpha < OPAQUE_FROM) pixels[pixel] = TRANSPARENT;
      else {
        const own = palette.findIndex((color) => isColor(color, red, green, blue));
        const light = lightOf(red, green, blue);
        if (own >= 0) pixels[pixel] = own;
        else if (dithering === "ordered")
          pixels[pixel] = nearestToneIndex(lighter(toneOf(light), thresholdAt(x, y)), palette);
        else if (dithering === "none") pixels[pixel] = lookalikeIndex(light, palette);
        else pixels[pixel] = diffuse(errors, { width, height, x, y }, toneOf(light), palette);
      }
    }
  }
  return pixels;
}

const isColor = (color: Color, red: number, green: number, blue: number): boolean => {
  const [r, g, b] = rgb[color];
  return red === r && green === g && blue === b;
};

const lighter = ([brightness, red, blue]: Tone, by: number): Tone => [brightness + by, red, blue];

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

/**
 * Errors of brightness and of colour; those beyond are lost. Dots of white and black give every brightness, but a colour that
 * the palette lacks would add up without end and stain what is beside it.
 */
const MAX_ERRORS = [1, 0.5, 0.5] as const;

/** The colour of a pixel with the errors that reached it; what it lacks, or has too much, goes on to its neighbours. */
function diffuse(
  errors: Float64Array,
  { width, height, x, y }: { width: number; height: number; x: number; y: number },
  [brightness, red, blue]: Tone,
  palette: readonly Color[],
): number {
  const at = (y * width + x) * 3;
  const [more = 0, redder = 0, bluer = 0] = errors.subarray(at, at + 3);
  const wanted: Tone = [brightness + more, red + redder, blue + bluer];
  const index = nearestToneIndex(wanted, palette);
  const shown = shownTones[palette[index] as Color];
  for (const [dx, dy, share] of neighbours) {
    if (x + dx < 0 || x + dx >= width || y + dy >= height) continue;
    const to = ((y + dy) * width + x + dx) * 3;
    for (const [part, most] of MAX_ERRORS.entries()) {
      const error = (wanted[part] as number) - (shown[part] as number);
      errors[to + part] = (errors[to + part] as number) + Math.min(most, Math.max(-most, error)) * share;
    }
  }
  return index;
}
