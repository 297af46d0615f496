import type { ColorChoice } from "../../schemas/canvas-parts.ts";
import { type Color, eachColor } from "../../schemas/color.ts";
import { type Light, oklab, shownLight, toneOf } from "./light.ts";

/** Returns the palette index of the first of these colours that the device has, otherwise of black. */
export function colorIndex(choice: ColorChoice, palette: readonly Color[]): number {
  const wanted = typeof choice === "string" ? [choice] : choice;
  const color = wanted.find((candidate) => palette.includes(candidate)) ?? "black";
  return Math.max(0, palette.indexOf(color));
}

type Triple = readonly [number, number, number];

const eachShown = <Value>(convert: (light: Light) => Value) => eachColor((color) => convert(shownLight[color]));

const labs = eachShown(oklab);
/**
 * A wrong colour misleads more than a wrong brightness: dark green becomes black rather than red, and so does a grey at the edge
 * of a black letter. Weights are squared: a difference in colour counts four times.
 */
const LAB_WEIGHTS: Triple = [1, 16, 16];

/** Finds the palette index of the nearest colour. */
export type Nearest = (x: number, y: number, z: number) => number;

/** Finds the colour that, on a label, looks most like a light given in Oklab. */
export const lookalikeIn = (palette: readonly Color[]): Nearest => nearestIn(palette, labs, LAB_WEIGHTS);

/** The tones of a label's colours. */
export const shownTones = eachShown(toneOf);
const TONE_WEIGHTS: Triple = [1, 0.5, 0.5];

/** Finds the colour that differs least from a tone in brightness and, with half the weight, in hue. */
export const nearestToneIn = (palette: readonly Color[]): Nearest => nearestIn(palette, shownTones, TONE_WEIGHTS);

/** A loop over plain numbers, since it runs for each pixel of an image. */
function nearestIn(
  palette: readonly Color[],
  places: Readonly<Record<Color, Triple>>,
  [ofX, ofY, ofZ]: Triple,
): Nearest {
  const table = Float64Array.from(palette.flatMap((color) => places[color]));
  return (x, y, z) => {
    let found = 0;
    let minDistance = Number.POSITIVE_INFINITY;
    for (let at = 0; at < table.length; at += 3) {
      const [dx, dy, dz] = [x - (table[at] as number), y - (table[at + 1] as number), z - (table[at + 2] as number)];
      const distance = ofX * dx * dx + ofY * dy * dy + ofZ * dz * dz;
      if (distance < minDistance) {
        minDistance = distance;
        found = at / 3;
      }
    }
    return found;
  };
}
