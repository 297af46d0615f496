import type { Color } from "../../schemas/tenant.ts";
import { nearestPlace } from "./colors.ts";
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

/**
 * An image in a device's palette, one byte a pixel. Each pixel takes the nearest colour; with
 * `dither` the error is spread over its neighbours (Floyd and Steinberg, 1976).
 */
export function mapImage({ width, height, data }: Bitmap, palette: readonly Color[], dither: boolean): Uint8Array {
  const pixels = new Uint8Array(width * height);
  const values = Float32Array.from(data);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const at = (y * width + x) * 4;
      if ((data[at + 3] as number) < OPAQUE_FROM) {
        pixels[y * width + x] = TRANSPARENT;
        continue;
      }
      const [red = 0, green = 0, blue = 0] = values.subarray(at, at + 3);
      const place = nearestPlace(red, green, blue, palette);
      pixels[y * width + x] = place;
      if (dither) spread(values, width, height, x, y, [red, green, blue], rgb[palette[place] as Color]);
    }
  }
  return pixels;
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
