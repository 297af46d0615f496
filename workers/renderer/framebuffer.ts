import type { Color } from "../../schemas/tenant.ts";

/** The colours of e-paper, as a picture file names them. */
export const rgb: Readonly<Record<Color, readonly [red: number, green: number, blue: number]>> = {
  white: [255, 255, 255],
  black: [0, 0, 0],
  red: [255, 0, 0],
  yellow: [255, 255, 0],
};

/** A picture as a device shows it: one byte a pixel, each the place of its colour in the device's palette. */
export interface Framebuffer {
  readonly width: number;
  readonly height: number;
  readonly palette: readonly Color[];
  readonly pixels: Uint8Array;
}

/** Horizontal runs of a shape that is drawn often, such as a glyph: y, first x, last x + 1, in threes. */
export type Runs = Int16Array;

export function createFramebuffer(
  width: number,
  height: number,
  palette: readonly Color[],
  background: number,
): Framebuffer {
  return { width, height, palette, pixels: new Uint8Array(width * height).fill(background) };
}

/** Fills a rectangle; what lies outside the picture is cut off. */
export function fillRectangle(
  target: Framebuffer,
  x: number,
  y: number,
  width: number,
  height: number,
  color: number,
): void {
  const left = Math.max(0, x);
  const right = Math.min(target.width, x + width);
  const bottom = Math.min(target.height, y + height);
  if (left >= right) return;
  for (let row = Math.max(0, y); row < bottom; row += 1) {
    target.pixels.fill(color, row * target.width + left, row * target.width + right);
  }
}

/** Draws a shape with its origin at (x, y); what lies outside the picture is cut off. */
export function drawRuns(target: Framebuffer, runs: Runs, x: number, y: number, color: number): void {
  for (let at = 0; at < runs.length; at += 3) {
    const row = y + (runs[at] as number);
    if (row < 0 || row >= target.height) continue;
    const start = row * target.width;
    const end = start + Math.min(target.width, x + (runs[at + 2] as number));
    // Runs of glyphs are short: a loop is quicker than a call of fill().
    for (let pixel = start + Math.max(0, x + (runs[at + 1] as number)); pixel < end; pixel += 1)
      target.pixels[pixel] = color;
  }
}

/** A straight line between two points, both included, `thickness` pixels wide. */
export function drawLine(
  target: Framebuffer,
  from: [number, number],
  to: [number, number],
  thickness: number,
  color: number,
): void {
  const [x0, y0] = from;
  const [x1, y1] = to;
  const steps = Math.max(Math.abs(x1 - x0), Math.abs(y1 - y0), 1);
  const half = Math.floor((thickness - 1) / 2);
  if (x0 === x1 || y0 === y1) {
    const [left, top] = [Math.min(x0, x1) - half, Math.min(y0, y1) - half];
    fillRectangle(target, left, top, Math.abs(x1 - x0) + thickness, Math.abs(y1 - y0) + thickness, color);
    return;
  }
  for (let step = 0; step <= steps; step += 1) {
    const x = Math.round(x0 + ((x1 - x0) * step) / steps);
    const y = Math.round(y0 + ((y1 - y0) * step) / steps);
    fillRectangle(target, x - half, y - half, thickness, thickness, color);
  }
}
