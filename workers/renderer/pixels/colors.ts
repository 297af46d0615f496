import type { ColorChoice } from "../../../schemas/canvas-parts.ts";
import type { Color } from "../../../schemas/tenant.ts";
import { type Light, oklab, shownLight, type Tone, toneOf } from "./light.ts";

/** Palette index of the first of these colours that the device has, else of black. */
export function colorIndex(choice: ColorChoice, palette: readonly Color[]): number {
  const wanted = typeof choice === "string" ? [choice] : choice;
  const color = wanted.find((candidate) => palette.includes(candidate)) ?? "black";
  return Math.max(0, palette.indexOf(color));
}

type Triple = readonly [number, number, number];

const eachColor = <Value>(convert: (light: Light) => Value): Readonly<Record<Color, Value>> => ({
  white: convert(shownLight.white),
  black: convert(shownLight.black),
  red: convert(shownLight.red),
  yellow: convert(shownLight.yellow),
  green: convert(shownLight.green),
  blue: convert(shownLight.blue),
  orange: convert(shownLight.orange),
});

const labs = eachColor(oklab);
/**
 * A wrong colour misleads more than one that is too light or too dark: dark green is rather black than red, and so is a grey
 * at the edge of a black letter. Squared: a difference of colour counts four times.
 */
const LAB_WEIGHTS: Triple = [1, 16, 16];

/** Palette index of the colour that looks most like a light, as labels show it. */
export const lookalikeIndex = (light: Light, palette: readonly Color[]): number =>
  nearest(oklab(light), palette, labs, LAB_WEIGHTS);

/** The tone of each colour of a label. */
export const shownTones = eachColor(toneOf);
const TONE_WEIGHTS: Triple = [1, 0.5, 0.5];

/** Palette index of the colour whose brightness, and then whose colour, differs least. */
export const nearestToneIndex = (tone: Tone, palette: readonly Color[]): number =>
  nearest(tone, palette, shownTones, TONE_WEIGHTS);

function nearest(
  [x, y, z]: Triple,
  palette: readonly Color[],
  places: Readonly<Record<Color, Triple>>,
  [ofX, ofY, ofZ]: Triple,
): number {
  let found = 0;
  let minDistance = Number.POSITIVE_INFINITY;
  for (const [index, color] of palette.entries()) {
    const [x1, y1, z1] = places[color];
    const distance = ofX * (x - x1) ** 2 + ofY * (y - y1) ** 2 + ofZ * (z - z1) ** 2;
    if (distance < minDistance) {
      minDistance = distance;
      found = index;
    }
  }
  return found;
}
