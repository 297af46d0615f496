import {
  type Area,
  drawRuns,
  type Framebuffer,
  type Ink,
  type Runs,
  shownRuns,
  showsRuns,
} from "../pixels/framebuffer.ts";
import { eachCode } from "./code-point-table.ts";
import { characterOf, type Face } from "./fonts.ts";
import { type Glyph, inkOf } from "./glyphs.ts";

/** Text on one line. Its pen starts at `left`. */
export interface Characters {
  face: Face;
  size: number;
  text: string;
  left: number;
  baseline: number;
  /** Space after each letter, in pixels. The default is 0. */
  spacing?: number;
}

/** The colours of letters and of their background, as indices in the palette. */
export interface LetterColors {
  color: number;
  paper: number;
}

/** A glyph as it was drawn, with its origin. */
export interface Inked {
  runs: Runs;
  x: number;
  y: number;
  color: number;
}

/** Returns the ink of glyphs that is still visible: a line with an outline may cover part of it. */
export const shownInk = (target: Framebuffer, inked: readonly Inked[]): Inked[] =>
  inked.map(({ runs, x, y, color }) => ({ runs: shownRuns(target, runs, x, y, color), x, y, color }));

/** Whether all ink is still visible. A later element may cover it. */
export const isStillShown = (target: Framebuffer, inked: readonly Inked[]): boolean =>
  inked.every(({ runs, x, y, color }) => showsRuns(target, runs, x, y, color));

/** Returns the smallest area that contains all ink; an empty area if there is none. */
export function inkAreaOf(inked: readonly Inked[]): Area {
  let [left, top, right, bottom] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, 0, 0];
  for (const { runs, x, y } of inked)
    for (let at = 0; at < runs.length; at += 3) {
      left = Math.min(left, x + (runs[at + 1] as number));
      right = Math.max(right, x + (runs[at + 2] as number));
      top = Math.min(top, y + (runs[at] as number));
      bottom = Math.max(bottom, y + (runs[at] as number) + 1);
    }
  return right > left ? { x: left, y: top, width: right - left, height: bottom - top } : NOWHERE;
}

const NOWHERE: Area = { x: 0, y: 0, width: 0, height: 0 };

/** Calls `visit` with the glyph of each character and its origin. */
export function eachStamp(
  { face, size, text, left, baseline, spacing = 0 }: Characters,
  visit: (glyph: Glyph, x: number, y: number) => void,
): void {
  const glyphOf = inkOf(face, size);
  let pen = left;
  eachCode(text, (code) => {
    const glyph = glyphOf(code);
    visit(glyph, Math.round(pen - glyph.shift), baseline);
    const { advance } = characterOf(face, code);
    if (advance > 0) pen += advance * size + spacing;
  });
}

/** Draws text on one line, and adds its drawn and hidden pixels to `ink`. */
export function drawCharacters(target: Framebuffer, characters: Characters, color: number, ink: Ink): void {
  eachStamp(characters, (glyph, x, y) => drawRuns(target, glyph.runs, x, y, color, ink));
}

/** Returns the shift that puts the range from `from` to `to` between `min` and `max`. If it is too long, it starts at `min`. */
export const moveInside = (from: number, to: number, min: number, max: number): number =>
  Math.max(min - from, Math.min(0, max - to));

export const newInk = (): Ink => ({ drawn: 0, hidden: 0 });

/** Maximum share of a text's ink on a background of its own colour, such as a dotted picture. With more, it is not legible. */
const MAX_HIDDEN_PART = 0.1;

export const isHidden = ({ drawn, hidden }: Ink): boolean => hidden > drawn * MAX_HIDDEN_PART;
