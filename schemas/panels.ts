import type { LabelType } from "./label-type.ts";

type PixelSize = Pick<LabelType, "width" | "height">;

/** Pixel densities of the panels used for labels of a given size in pixels, as stated by their makers. */
const panels: Readonly<Record<string, number>> = {
  "152x152": 140,
  "200x200": 184,
  "208x112": 112,
  "212x104": 111,
  "250x122": 130,
  "296x128": 112,
  "296x152": 125,
  "400x300": 119,
  "600x448": 133,
  "640x384": 100,
  "648x480": 138,
  "800x480": 124,
  "880x528": 137,
  "960x640": 113,
};
const USUAL_DPI = 112;

/** Returns a label type's pixels per inch: as configured, or else as known for a panel of its size, in portrait or landscape. */
export const dpiOf = ({ width, height, dpi }: PixelSize & { dpi?: number }): number =>
  dpi ?? panels[`${Math.max(width, height)}x${Math.min(width, height)}`] ?? USUAL_DPI;
