import type { Color } from "../../schemas/color.ts";
import { type Bitmap, type Dithering, mapImage, TRANSPARENT } from "./dither-image.ts";
import { lightOf, oklab } from "./light.ts";

/** How an image's colours are changed before a palette colour is chosen for each pixel. */
export interface Treatment {
  invert: boolean;
  /** In percent of the lightness of white. If undefined, the image is not split into black and white. */
  threshold: number | undefined;
  dithering: Dithering;
  /** The image's only colour, as an index in the palette. If undefined, it keeps its colours. */
  tint: number | undefined;
}

/** Caches treated images, keyed by palette and treatment. */
const treatedImages = new WeakMap<Bitmap, Map<string, Uint8Array>>();

/** Maps an image like `mapTreated`, but only once for each palette and treatment. */
export function treatedImage(bitmap: Bitmap, palette: readonly Color[], treatment: Treatment): Uint8Array {
  const cached = treatedImages.get(bitmap) ?? new Map<string, Uint8Array>();
  treatedImages.set(bitmap, cached);
  const { invert, threshold, dithering, tint } = treatment;
  const key = `${palette.join(" ")} ${dithering} ${invert} ${threshold} ${tint}`;
  const pixels = cached.get(key) ?? mapTreated(bitmap, palette, treatment);
  cached.set(key, pixels);
  return pixels;
}

/**
 * Maps an image to a palette, one byte per pixel. If requested, the image is first inverted, then split into black and white
 * at a lightness, and then drawn with its dark parts in one colour and its light parts transparent.
 */
export function mapTreated(
  bitmap: Bitmap,
  palette: readonly Color[],
  { invert, threshold, dithering, tint }: Treatment,
): Uint8Array {
  const changed = invert || threshold !== undefined ? changePixels(bitmap, invert, threshold) : bitmap;
  if (tint === undefined) return mapImage(changed, palette, dithering);
  return mapImage(changed, ["white", "black"], dithering).map((index) => (index === 1 ? tint : TRANSPARENT));
}

/** White may exceed 100 percent by a rounding error smaller than this. */
const ROUNDING = 0.001;

function changePixels({ width, height, data }: Bitmap, invert: boolean, threshold: number | undefined): Bitmap {
  const changed = Uint8Array.from(data);
  for (let at = 0; at < changed.length; at += 4) {
    for (let channel = at; invert && channel < at + 3; channel += 1)
      changed[channel] = 255 - (changed[channel] as number);
    if (threshold === undefined) continue;
    const [red = 0, green = 0, blue = 0] = changed.subarray(at, at + 3);
    const [lightness] = oklab(lightOf(red, green, blue));
    changed.fill(lightness * 100 < threshold - ROUNDING ? 0 : 255, at, at + 3);
  }
  return { width, height, data: changed };
}
