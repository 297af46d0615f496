import type { PolygonElement } from "../../schemas/canvas-shapes.ts";
import { drawLine, type Framebuffer, fillRectangle } from "../pixels/framebuffer.ts";
import { colorIndex } from "../pixels/nearest-color.ts";

type Point = readonly [x: number, y: number];

/** Draws a polygon. If its sides cross, the even-odd rule decides what is inside. */
export function drawPolygon(target: Framebuffer, element: PolygonElement): void {
  const { x: left, y: top, points, fill, stroke, thickness = 1 } = element;
  const corners = points.map(([x = 0, y = 0]): Point => [left + x, top + y]);
  if (fill) fillPolygon(target, corners, colorIndex(fill, target.palette));
  if (!stroke) return;
  const color = colorIndex(stroke, target.palette);
  for (const [from, to] of sidesOf(corners)) drawLine(target, [...from], [...to], thickness, color);
}

const sidesOf = (corners: readonly Point[]): (readonly [from: Point, to: Point])[] =>
  corners.map((corner, index) => [corner, corners[(index + 1) % corners.length] as Point] as const);

/** Fills each row between the sides that cross its middle. Corners are in the middle of their pixels. */
function fillPolygon(target: Framebuffer, corners: readonly Point[], color: number): void {
  const rows = corners.map(([, y]) => y);
  const last = Math.min(target.height - 1, Math.max(...rows));
  for (let row = Math.max(0, Math.min(...rows)); row <= last; row += 1) {
    const crossings = sidesOf(corners).flatMap((side) => crossingOf(side, row) ?? []);
    crossings.sort((one, other) => one - other);
    for (let at = 0; at + 1 < crossings.length; at += 2) {
      const from = Math.ceil(crossings[at] as number);
      fillRectangle(target, from, row, Math.floor(crossings[at + 1] as number) - from + 1, 1, color);
    }
  }
}

/** Returns where a side crosses the middle of a row. A side includes its upper end but not its lower one. */
function crossingOf([[x0, y0], [x1, y1]]: readonly [Point, Point], row: number): number | undefined {
  if (y0 === y1 || row < Math.min(y0, y1) || row >= Math.max(y0, y1)) return undefined;
  return x0 + ((row - y0) * (x1 - x0)) / (y1 - y0);
}
