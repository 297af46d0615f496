import type { ImageElement } from "../../schemas/canvas-images.ts";
import { type Bitmap, type Dithering, TRANSPARENT } from "../pixels/dither-image.ts";
import { fittedImage } from "../pixels/fit-image.ts";
import type { Framebuffer } from "../pixels/framebuffer.ts";
import { colorIndex } from "../pixels/nearest-color.ts";
import { treatedImage } from "../pixels/treat-image.ts";

/** Draws an image in its area. Transparent pixels show the background. */
export function drawImage(target: Framebuffer, element: ImageElement, image: Bitmap): void {
  const { width, height, fit = "contain", align = "center", verticalAlign = "middle" } = element;
  const { bitmap, x, y } = fittedImage(image, { width, height, fit, align, verticalAlign });
  const { invert = false, threshold, tint } = element;
  const pixels = treatedImage(bitmap, target.palette, {
    invert,
    threshold,
    dithering: ditheringOf(element),
    tint: tint && colorIndex(tint, target.palette),
  });
  const [left, top] = [element.x + x, element.y + y];
  for (let row = Math.max(0, -top); row < Math.min(bitmap.height, target.height - top); row += 1) {
    const from = row * bitmap.width;
    const to = (top + row) * target.width + left;
    for (let column = Math.max(0, -left); column < Math.min(bitmap.width, target.width - left); column += 1) {
      const pixel = pixels[from + column] as number;
      if (pixel !== TRANSPARENT) target.pixels[to + column] = pixel;
    }
  }
}

/** Images are dithered only on request, because most images in designs are logos. */
function ditheringOf({ dither = false }: ImageElement): Dithering {
  if (typeof dither === "string") return dither;
  return dither ? "diffusion" : "none";
}
