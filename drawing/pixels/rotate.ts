import type { Rotation } from "../../schemas/canvas-parts.ts";
import { isSideways } from "../../schemas/canvas-parts.ts";
import type { Area, Framebuffer } from "./framebuffer.ts";

interface Size {
  width: number;
  height: number;
}

/** Returns the size of an area of `width` x `height` after a rotation. */
export const rotatedSize = ({ width, height }: Size, rotation: Rotation): Size =>
  isSideways(rotation) ? { width: height, height: width } : { width, height };

/** Returns the position of a rectangle after its frame is rotated. `frame` is the frame's size after the rotation. */
export function rotatedArea({ x, y, width, height }: Area, frame: Size, rotation: Rotation): Area {
  switch (rotation) {
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

/** Returns the rotation that undoes another. */
export const backwards = (rotation: Rotation): Rotation => ((360 - rotation) % 360) as Rotation;

/** Returns the sum of two rotations. */
export const bothRotations = (one: Rotation, other: Rotation): Rotation => ((one + other) % 360) as Rotation;

/** Returns the picture rotated clockwise. */
export function rotatePicture(source: Framebuffer, rotation: Rotation): Framebuffer {
  if (rotation === 0) return source;
  const size = rotatedSize(source, rotation);
  const pixels = new Uint8Array(source.pixels.length);
  for (let y = 0, from = 0; y < source.height; y += 1) {
    for (let x = 0; x < source.width; x += 1, from += 1) {
      const to =
        rotation === 90
          ? x * size.width + size.width - 1 - y
          : rotation === 180
            ? (size.height - y) * size.width - 1 - x
            : (size.height - 1 - x) * size.width + y;
      pixels[to] = source.pixels[from] as number;
    }
  }
  return { ...size, palette: source.palette, pixels };
}
