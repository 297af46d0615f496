import type { Frame, LineElement } from "../../schemas/canvas-shapes.ts";
import { type Area, drawLine, type Framebuffer, fillRectangle } from "../pixels/framebuffer.ts";
import { colorIndex } from "../pixels/nearest-color.ts";

type Surface = Omit<Frame, "padding">;

/** Draws a box with square or round corners. Its stroke is inside the box. */
export function drawBox(target: Framebuffer, area: Area, { fill, stroke, thickness = 1, radius = 0 }: Surface): void {
  if (fill) fillRounded(target, area, radius, colorIndex(fill, target.palette));
  if (stroke) strokeRounded(target, area, radius, thickness, colorIndex(stroke, target.palette));
}

/** Draws a line between two corners of its area, as one stroke or as dashes. */
export function drawStroke(target: Framebuffer, element: LineElement): void {
  const { x, y, width, height, thickness = 1, direction = "down", dash } = element;
  const color = colorIndex(element.color, target.palette);
  const [left, right, top, bottom] = [x, x + width - 1, y, y + height - 1];
  const [from, to]: [Point, Point] =
    direction === "down"
      ? [
          [left, top],
          [right, bottom],
        ]
      : [
          [left, bottom],
          [right, top],
        ];
  const [stroke = 1, gap = 0] = dash ?? [];
  const strokes = dash ? dashesOf(from, to, stroke, gap, thickness) : [[from, to] as const];
  for (const [start, end] of strokes) drawLine(target, start, end, thickness, color);
}

type Point = [x: number, y: number];

/**
 * Returns the strokes of a dashed line. A line of several pixels extends beyond its ends by its thickness, so each stroke is
 * shortened by that.
 */
function dashesOf(from: Point, to: Point, stroke: number, gap: number, thickness: number): [Point, Point][] {
  const [across, down] = [to[0] - from[0], to[1] - from[1]];
  const steps = Math.max(Math.abs(across), Math.abs(down), 1);
  const perPixel = steps / Math.max(1, Math.hypot(across, down));
  const pointAt = (step: number): Point => [
    Math.round(from[0] + (across * Math.min(step, steps)) / steps),
    Math.round(from[1] + (down * Math.min(step, steps)) / steps),
  ];
  const length = Math.max(0, stroke - thickness) * perPixel;
  const dashes: [Point, Point][] = [];
  for (let at = 0; at <= steps; at += (stroke + gap) * perPixel) dashes.push([pointAt(at), pointAt(at + length)]);
  return dashes;
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
 * Returns the distance between a row's start and the left edge of a box with round corners. The radius is at most half of the
 * box.
 */
function insetAt(row: number, { width, height }: Area, radius: number): number {
  const round = Math.min(radius, width / 2, height / 2);
  const fromEdge = Math.min(row, height - 1 - row) + 0.5;
  if (fromEdge >= round) return 0;
  return Math.round(round - Math.sqrt(round * round - (round - fromEdge) ** 2));
}
