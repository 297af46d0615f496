import type { BoxElement, ImageElement, LineElement } from "../../../schemas/canvas.ts";
import { colorIndex } from "../pixels/colors.ts";
import { type Area, drawLine, type Framebuffer, fillRectangle } from "../pixels/framebuffer.ts";
import { type Bitmap, type Dithering, mappedImage, TRANSPARENT } from "../pixels/map-image.ts";

/** Draws a box with square or round corners; its stroke lies inside the box. */
export function drawBox(target: Framebuffer, { fill, stroke, thickness = 1, radius = 0, ...area }: BoxElement): void {
  if (fill) fillRounded(target, area, radius, colorIndex(fill, target.palette));
  if (stroke) strokeRounded(target, area, radius, thickness, colorIndex(stroke, target.palette));
}

export function drawStroke(target: Framebuffer, { x, y, width, height, thickness = 1, color }: LineElement): void {
  drawLine(target, [x, y], [x + width - 1, y + height - 1], thickness, colorIndex(color, target.palette));
}

/** Draws an image in the middle of its area; transparent pixels leave the picture as it is. */
export function drawImage(target: Framebuffer, element: ImageElement, bitmap: Bitmap): void {
  const pixels = mappedImage(bitmap, target.palette, ditheringOf(element));
  const left = element.x + Math.floor((element.width - bitmap.width) / 2);
  const top = element.y + Math.floor((element.height - bitmap.height) / 2);
  for (let row = Math.max(0, -top); row < Math.min(bitmap.height, target.height - top); row += 1) {
    const from = row * bitmap.width;
    const to = (top + row) * target.width + left;
    for (let column = Math.max(0, -left); column < Math.min(bitmap.width, target.width - left); column += 1) {
      const pixel = pixels[from + column] as number;
      if (pixel !== TRANSPARENT) target.pixels[to + column] = pixel;
    }
  }
}

/** Images are dithered only on request, because most images of designs are logos. */
function ditheringOf({ dither = false }: ImageElement): Dithering {
  if (typeof dither === "string") return dither;
  return dither ? "diffusion" : "none";
}

function fillRounded(target: Framebuffer, area: Area, radius: number, color: number): void {
  const { x, y, width, height } = area;
  for (let row = 0; row < height; row += 1) {
    const inset = insetAt(row, area, radius);
    fillRectangle(target, x + inset, y + row, width - 2 * inset, 1, color);
  }
}

function strokeRounded(target: Framebuffer, area: Area, radius: number, thickness: number, color: number): void {
  const { x, y, width, height } = area;
  const inside = {
    x: x + thickness,
    y: y + thickness,
    width: width - 2 * thickness,
    height: height - 2 * thickness,
  };
  for (let row = 0; row < height; row += 1) {
    const inset = insetAt(row, area, radius);
    const [left, right] = [x + inset, x + width - inset];
    const rowInside = row - thickness;
    if (rowInside < 0 || rowInside >= inside.height || inside.width <= 0) {
      fillRectangle(target, left, y + row, right - left, 1, color);
      continue;
    }
    const hollow = inside.x + insetAt(rowInside, inside, Math.max(0, radius - thickness));
    const hollowEnd = 2 * inside.x + inside.width - hollow;
    fillRectangle(target, left, y + row, hollow - left, 1, color);
    fillRectangle(target, hollowEnd, y + row, right - hollowEnd, 1, color);
  }
}

/**
 * Distance between a row's start and the left edge of a box with round corners. The radius is at most half of the box.
 */
function insetAt(row: number, { width, height }: Area, radius: number): number {
  const round = Math.min(radius, width / 2, height / 2);
  const fromEdge = Math.min(row, height - 1 - row) + 0.5;
  if (fromEdge >= round) return 0;
  return Math.round(round - Math.sqrt(round * round - (round - fromEdge) ** 2));
}
