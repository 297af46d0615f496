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

/** A text in one line; `left` is the start of its pen. */
export interface Characters {
  face: Face;
  size: number;
  text: string;
  left: number;
  baseline: number;
  /** Added after each letter, in pixels; default 0. */
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

/** The ink of glyphs that can be seen now: a line with an outline may cover them. */
export const shownInk = (target: Framebuffer, inked: readonly Inked[]): Inked[] =>
  inked.map(({ runs, x, y, color }) => ({ runs: shownRuns(target, runs, x, y, color), x, y, color }));

/** Whether all ink is still visible: a later element may cover it. */
export const isStillShown = (target: Framebuffer, inked: readonly Inked[]): boolean =>
  inked.every(({ runs, x, y, color }) => showsRuns(target, runs, x, y, color));

/** The smallest area that holds all ink; an empty one if there is none. */
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

/** Draws a text in one line, and adds its drawn and hidden pixels to `ink`. */
export function drawCharacters(target: Framebuffer, characters: Characters, color: number, ink: Ink): void {
  eachStamp(characters, (glyph, x, y) => drawRuns(target, glyph.runs, x, y, color, ink));
}

/** The shift that moves the range `from` to `to` between `min` and `max`; if it is too long, its start is at `min`. */
export const moveInside = (from: number, to: number, min: number, max: number): number =>
  Math.max(min - from, Math.min(0, max - to));

export const newInk = (): Ink => ({ drawn: 0, hidden: 0 });

/**
 * Up to a tenth of a text may be on its own colour, such as that of a dotted picture; with more the text is not
 * legible.
 */
const MAX_HIDDEN_PART = 0.1;

export const isHidden = ({ drawn, hidden }: Ink): boolean => hidden > drawn * MAX_HIDDEN_PART;
