import { isSideways } from "../../schemas/canvas.ts";
import type { Turn } from "../../schemas/canvas-parts.ts";
import type { Area, Framebuffer } from "./framebuffer.ts";

interface Size {
  width: number;
  height: number;
}

/** The size of what is `width` x `height` once it is turned. */
export const turnedSize = ({ width, height }: Size, turn: Turn): Size =>
  isSideways(turn) ? { width: height, height: width } : { width, height };

/** Where a rectangle lies once its frame is turned; `frame` is the frame's size after the turn. */
export function turnedArea({ x, y, width, height }: Area, frame: Size, turn: Turn): Area {
  switch (turn) {
    case 90:
      return { x: frame.width - y - height, y: x, width: height, height: width };
    case 180:
      return { x: frame.width - x - width, y: frame.height - y - height, width, height };
    case 270:
      return { x: y, y: frame.height - x - width, width: height, height: width };
    default:
      return { x, y, width, height };
  }
}

/** The turn that undoes another. */
export const backwards = (turn: Turn): Turn => ((360 - turn) % 360) as Turn;

/** Two turns, one after the other. */
export const bothTurns = (one: Turn, other: Turn): Turn => ((one + other) % 360) as Turn;

/** A picture turned clockwise. */
export function turnPicture(source: Framebuffer, turn: Turn): Framebuffer {
  if (turn === 0) return source;
  const size = turnedSize(source, turn);
  const pixels = new Uint8Array(source.pixels.length);
  for (let y = 0, from = 0; y < source.height; y += 1) {
    for (let x = 0; x < source.width; x += 1, from += 1) {
      const to =
        turn === 90
          ? x * size.width + size.width - 1 - y
          : turn === 180
            ? (size.height - y) * size.width - 1 - x
            : (size.height - 1 - x) * size.width + y;
      pixels[to] = source.pixels[from] as number;
    }
  }
  return { ...size, palette: source.palette, pixels };
}
