import type { Bitmap } from "../../../../drawing/pixels/dither-image.ts";
import type { Element } from "../../../../schemas/canvas.ts";

const IMAGE = "1".repeat(64);
const SIDE = 96;
/** All hues from left to right, from light to dark; transparent below the diagonal. */
const rainbow: Bitmap = {
  width: SIDE,
  height: SIDE,
  data: Uint8Array.from(
    Array.from({ length: SIDE * SIDE }, (_, index) => {
      const [x, y] = [index % SIDE, Math.floor(index / SIDE)];
      const channel = (shift: number) => {
        const hue = Math.abs((((x / SIDE) * 6 + shift) % 6) - 3) - 1;
        const pure = Math.max(0, Math.min(1, hue));
        return Math.round(255 * (y < SIDE / 2 ? 1 - (1 - pure) * (y / 48) : pure * (2 - y / 48)));
      };
      return [channel(0), channel(4), channel(2), x + y > SIDE * 1.6 ? 0 : 255];
    }).flat(),
  ),
};
/** The picture that the labels below draw. */
export const images = new Map([[IMAGE, { file: IMAGE, bitmap: rainbow }]]);
/** A picture on a label, dithered or not. */
export const image = (x: number, dither: boolean | "ordered"): Element => ({
  kind: "image",
  x,
  y: 16,
  width: SIDE,
  height: SIDE,
  image: IMAGE,
  dither,
});
