import { type Framebuffer, rgb } from "../../../drawing/pixels/framebuffer.ts";
import { encodePng } from "../../../drawing/pixels/png.ts";

export interface Size {
  width: number;
  height: number;
}

/** Returns a PNG that differs for each seed: black and white stripes. */
export function stripes({ width, height }: Size, seed: number): Buffer {
  const pixels = Uint8Array.from({ length: width * height }, (_, index) => (((index % width) + seed) >> 3) & 1);
  return encodePng({ width, height, palette: ["white", "black"], pixels });
}

/** Returns a PNG in all colours, which deflate cannot make smaller. */
export function noise({ width, height }: Size): Buffer {
  const palette = Object.keys(rgb) as Framebuffer["palette"][number][];
  let state = 1;
  const pixels = Uint8Array.from({ length: width * height }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 16) % palette.length;
  });
  return encodePng({ width, height, palette, pixels });
}
