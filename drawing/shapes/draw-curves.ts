import type { ArcElement, EllipseElement } from "../../schemas/canvas-shapes.ts";
import { type Area, clip, type Framebuffer, fillRectangle } from "../pixels/framebuffer.ts";
import { colorIndex } from "../pixels/nearest-color.ts";

/** Draws the ellipse that fills an area. Its stroke is inside the area. */
export function drawEllipse(target: Framebuffer, { fill, stroke, thickness = 1, ...area }: EllipseElement): void {
  const { y, height } = clip(area, target);
  const [inside, outline] = [fill, stroke].map((color) => color && colorIndex(color, target.palette));
  for (let row = y; row < y + height; row += 1) {
    const [from, to] = ellipseRow(area, row);
    if (inside !== undefined) fillRectangle(target, from, row, to - from, 1, inside);
    if (outline === undefined) continue;
    const [hollow, hollowEnd] = hollowRow(area, row, thickness);
    fillRectangle(target, from, row, hollow - from, 1, outline);
    fillRectangle(target, hollowEnd, row, to - hollowEnd, 1, outline);
  }
}

/** Draws the part of an ellipse's outline between two angles, inside the area. */
export function drawArc(target: Framebuffer, { color, thickness = 1, from, to, ...area }: ArcElement): void {
  const ink = colorIndex(color, target.palette);
  const { x, y, width, height } = clip(area, target);
  const [middleX, middleY] = [area.x + area.width / 2 - 0.5, area.y + area.height / 2 - 0.5];
  for (let row = y; row < y + height; row += 1) {
    const [begin, end] = ellipseRow(area, row);
    const [hollow, hollowEnd] = hollowRow(area, row, thickness);
    for (let column = Math.max(x, begin); column < Math.min(x + width, end); column += 1) {
      if (column === hollow) column = hollowEnd;
      if (column >= end || column >= x + width) break;
      const degrees = (Math.atan2(column - middleX, middleY - row) * 180) / Math.PI;
      if (isBetween((degrees + 360) % 360, from, to)) target.pixels[row * target.width + column] = ink;
    }
  }
}

/** Whether an angle lies clockwise between two others. */
const isBetween = (angle: number, from: number, to: number): boolean =>
  from <= to ? angle >= from && angle <= to : angle >= from || angle <= to;

/** Returns the first column, and last column + 1, of the ellipse in one of its rows. */
function ellipseRow({ x, y, width, height }: Area, row: number): [from: number, to: number] {
  const part = (2 * (row - y) + 1) / height - 1;
  const inset = Math.round((width / 2) * (1 - Math.sqrt(1 - part * part)));
  return [x + inset, x + width - inset];
}

/** Returns the columns of a row inside the outline. If there are none, both halves end in the middle. */
function hollowRow(area: Area, row: number, thickness: number): [from: number, to: number] {
  const { x, y, width, height } = area;
  const inner = { x: x + thickness, y: y + thickness, width: width - 2 * thickness, height: height - 2 * thickness };
  if (inner.width > 0 && row >= inner.y && row < inner.y + inner.height) return ellipseRow(inner, row);
  const middle = x + Math.ceil(width / 2);
  return [middle, middle];
}
