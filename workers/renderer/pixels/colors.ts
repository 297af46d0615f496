import type { ColorChoice } from "../../../schemas/canvas-parts.ts";
import type { Color } from "../../../schemas/tenant.ts";
import { rgb } from "./framebuffer.ts";

/** Palette index of the first of these colours that the device has, else of black. */
export function colorIndex(choice: ColorChoice, palette: readonly Color[]): number {
  const wanted = typeof choice === "string" ? [choice] : choice;
  const color = wanted.find((candidate) => palette.includes(candidate)) ?? "black";
  return Math.max(0, palette.indexOf(color));
}

/** Palette index of the colour that is nearest by squared RGB distance. */
export function nearestColorIndex(red: number, green: number, blue: number, palette: readonly Color[]): number {
  let nearest = 0;
  let minDistance = Number.POSITIVE_INFINITY;
  for (const [index, color] of palette.entries()) {
    const [r, g, b] = rgb[color];
    const distance = (red - r) ** 2 + (green - g) ** 2 + (blue - b) ** 2;
    if (distance < minDistance) {
      minDistance = distance;
      nearest = index;
    }
  }
  return nearest;
}
