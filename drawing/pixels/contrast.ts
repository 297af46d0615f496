import type { Color } from "../../schemas/color.ts";
import { type Area, clip, type Framebuffer } from "./framebuffer.ts";
import { lightOf, measuredColors } from "./light.ts";

/** Contrast at which most people read large letters without effort (WCAG 2.2, 1.4.3). */
export const MIN_CONTRAST = 3;

const brightnessOf = (color: Color): number => {
  const [red, green, blue] = lightOf(...measuredColors[color]);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

/** Brightness of each colour as measured on e-paper. 1 is the white of a screen. */
const brightness: Readonly<Record<Color, number>> = {
  white: brightnessOf("white"),
  black: brightnessOf("black"),
  red: brightnessOf("red"),
  yellow: brightnessOf("yellow"),
  green: brightnessOf("green"),
  blue: brightnessOf("blue"),
  orange: brightnessOf("orange"),
};

/** Returns the contrast of two colours as e-paper shows them, from 1 for none to about 14 for black on white. */
export function contrastOf(one: Color, other: Color): number {
  const [a, b] = [brightness[one], brightness[other]];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/** Number of points across and down at which an area is sampled. Few are enough, since each text is sampled. */
const POINTS = 8;

/**
 * Returns the palette index of the colour that fills most of an area of a picture, or of the first colour if the area is
 * outside the picture.
 */
export function mostlyIn(picture: Framebuffer, area: Area): number {
  const { x, y, width, height } = clip(area, picture);
  const counts = new Uint32Array(picture.palette.length);
  if (width * height === 0) return 0;
  for (let row = 0; row < POINTS; row += 1) {
    for (let column = 0; column < POINTS; column += 1) {
      const across = x + Math.floor(((column + 0.5) * width) / POINTS);
      const down = y + Math.floor(((row + 0.5) * height) / POINTS);
      const index = picture.pixels[down * picture.width + across] as number;
      counts[index] = (counts[index] as number) + 1;
    }
  }
  return counts.indexOf(Math.max(...counts));
}

/** Returns the palette index of the colour that stands out most from another. */
export function contrastIndex(beneath: number, palette: readonly Color[]): number {
  const contrasts = palette.map((color) => contrastOf(color, palette[beneath] as Color));
  return contrasts.indexOf(Math.max(...contrasts));
}
