import type { Rotation } from "../../schemas/canvas-parts.ts";
import { type Area, clip, copyOf, type Framebuffer, paste } from "../pixels/framebuffer.ts";
import { backwards, rotatedArea, rotatedSize, rotatePicture } from "../pixels/rotate.ts";

/** A part of a picture, rotated so that a rotated element is upright in the view. */
export interface RotatedView {
  /** The background of the element, on which the element is painted. */
  picture: Framebuffer;
  /** The element's area in the view. */
  area: Area;
  /** Returns the position of an area of the view on the label. */
  onLabel(area: Area): Area;
  /** Writes the painted pixels back to the original picture. */
  putBack(): void;
  /** Copies the part again, including what has been painted over it since. */
  refresh(): void;
}

/** Opens a view of an area and of `margin` pixels around it, clipped to the picture. */
export function openRotatedView(target: Framebuffer, area: Area, margin: number, rotation: Rotation): RotatedView {
  const { x, y, width, height } = area;
  const wide = { x: x - margin, y: y - margin, width: width + 2 * margin, height: height + 2 * margin };
  const part = clip(wide, target);
  const back = backwards(rotation);
  const take = (): Framebuffer =>
    rotatePicture(
      { width: part.width, height: part.height, palette: target.palette, pixels: copyOf(target, part) },
      back,
    );
  const picture = take();
  const beside = { x: x - part.x, y: y - part.y, width, height };
  return {
    picture,
    area: rotatedArea(beside, rotatedSize(part, back), back),
    onLabel(inView) {
      const rotated = rotatedArea(inView, part, rotation);
      return { ...rotated, x: part.x + rotated.x, y: part.y + rotated.y };
    },
    putBack: () => paste(target, rotatePicture(picture, rotation), part.x, part.y),
    refresh: () => picture.pixels.set(take().pixels),
  };
}
