import type { Rotation } from "../../schemas/canvas-parts.ts";
import { type Area, clip, copyOf, type Framebuffer, paste } from "../pixels/framebuffer.ts";
import { backwards, rotatedArea, rotatedSize, rotatePicture } from "../pixels/rotate.ts";

/** A part of a picture, turned so that a turned element is upright in it. */
export interface RotatedView {
  /** The background of the element; it is painted here. */
  picture: Framebuffer;
  /** The element's area in it. */
  area: Area;
  /** The position of an area of the view on the label. */
  onLabel(area: Area): Area;
  /** Writes the painted pixels back to the picture from which the part was taken. */
  putBack(): void;
  /** Takes the part again, including what was painted over it. */
  refresh(): void;
}

/** Opens a view of an area, and of `margin` pixels around it, as far as it is in the picture. */
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
