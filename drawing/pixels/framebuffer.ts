import { type Color, colors, eachColor, type Rgb } from "../../schemas/color.ts";

/** The RGB values of e-paper colours in picture files. */
export const rgb = eachColor((color): Rgb => colors[color].rgb);

/** A picture for a device: one byte for each pixel, the index of its colour in the device's palette. */
export interface Framebuffer {
  readonly width: number;
  readonly height: number;
  readonly palette: readonly Color[];
  readonly pixels: Uint8Array;
}

/** A rectangle in a picture, in pixels. */
export interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Horizontal runs of a shape that is drawn often, such as a glyph, as triples: y, first x, last x + 1. */
export type Runs = Int16Array;

export function createFramebuffer(
  width: number,
  height: number,
  palette: readonly Color[],
  background: number,
): Framebuffer {
  const pixels = new Uint8Array(width * height);
  // A new array contains zeros, the index of most backgrounds.
  return { width, height, palette, pixels: background === 0 ? pixels : pixels.fill(background) };
}

/** Fills a rectangle. Parts outside the picture are cut off. */
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

/** Copies the first row of an area to its other rows. The area must be inside the picture. */
export function repeatRow({ width, pixels }: Framebuffer, area: Area): void {
  const from = area.y * width + area.x;
  for (let row = 1; row < area.height; row += 1) pixels.copyWithin(from + row * width, from, from + area.width);
}

/**
 * Number of drawn pixels, and number of pixels in runs that began on their own colour, which are invisible. Checking only the
 * first pixel of a run is enough to detect hidden text, and cheaper than checking every pixel.
 */
export interface Ink {
  drawn: number;
  hidden: number;
}

/** Draws a shape with its origin at (x, y) and adds to `ink`. Parts outside the picture are cut off. */
export function drawRuns(target: Framebuffer, runs: Runs, x: number, y: number, color: number, ink: Ink): void {
  const { width, height, pixels } = target;
  let drawn = 0;
  let hidden = 0;
  for (let at = 0; at < runs.length; at += 3) {
    const row = y + (runs[at] as number);
    if (row < 0 || row >= height) continue;
    const from = row * width + Math.max(0, x + (runs[at + 1] as number));
    const end = row * width + Math.min(width, x + (runs[at + 2] as number));
    if (from >= end) continue;
    drawn += end - from;
    if (pixels[from] === color) hidden += end - from;
    // Runs of glyphs are short, and for them a loop is faster than fill().
    for (let pixel = from; pixel < end; pixel += 1) pixels[pixel] = color;
  }
  ink.drawn += drawn;
  ink.hidden += hidden;
}

/** Whether all pixels of a shape that was drawn at (x, y) still have a given colour. */
export function showsRuns(
  { width, height, pixels }: Framebuffer,
  runs: Runs,
  x: number,
  y: number,
  color: number,
): boolean {
  for (let at = 0; at < runs.length; at += 3) {
    const row = y + (runs[at] as number);
    if (row < 0 || row >= height) continue;
    const end = row * width + Math.min(width, x + (runs[at + 2] as number));
    for (let pixel = row * width + Math.max(0, x + (runs[at + 1] as number)); pixel < end; pixel += 1) {
      if (pixels[pixel] !== color) return false;
    }
  }
  return true;
}

/** Returns the runs of a shape that was drawn at (x, y), except the pixels that no longer have its colour. */
export function shownRuns(
  { width, height, pixels }: Framebuffer,
  runs: Runs,
  x: number,
  y: number,
  color: number,
): Runs {
  const shown: number[] = [];
  for (let at = 0; at < runs.length; at += 3) {
    const [row, from, to] = [runs[at] as number, runs[at + 1] as number, runs[at + 2] as number];
    if (y + row < 0 || y + row >= height) continue;
    const begin = (y + row) * width + x;
    for (let column = Math.max(from, -x); column < Math.min(to, width - x); column += 1)
      if (pixels[begin + column] === color) shown.push(row, column, column + 1);
  }
  return Int16Array.from(shown);
}

/** Returns the part of an area that is inside a picture. It may be empty. */
export function clip(area: Area, { width, height }: Pick<Framebuffer, "width" | "height">): Area {
  const [left, top] = [Math.max(0, area.x), Math.max(0, area.y)];
  const [right, bottom] = [Math.min(width, area.x + area.width), Math.min(height, area.y + area.height)];
  return { x: left, y: top, width: Math.max(0, right - left), height: Math.max(0, bottom - top) };
}

/** Copies the pixels of an area. Parts outside the picture are cut off. */
export function copyOf({ width, height, pixels }: Framebuffer, area: Area): Uint8Array {
  const inside = clip(area, { width, height });
  const copy = new Uint8Array(inside.width * inside.height);
  for (let row = 0; row < inside.height; row += 1) {
    const from = (inside.y + row) * width + inside.x;
    copy.set(pixels.subarray(from, from + inside.width), row * inside.width);
  }
  return copy;
}

/** Copies a picture into another, with its upper left corner at (x, y). It must be completely inside. */
export function paste(target: Framebuffer, { width, height, pixels }: Framebuffer, x: number, y: number): void {
  for (let row = 0; row < height; row += 1) {
    target.pixels.set(pixels.subarray(row * width, (row + 1) * width), (y + row) * target.width + x);
  }
}

/** Draws a straight line between two points, both included, `thickness` pixels wide. */
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
