import { drawRuns, type Framebuffer, type Ink } from "../pixels/framebuffer.ts";
import { characterOf, eachCode, type Face } from "./fonts.ts";
import { type Glyph, inkOf } from "./glyphs.ts";

/** A text in one line; `left` is the start of its pen. */
export interface Characters {
  face: Face;
  size: number;
  text: string;
  left: number;
  baseline: number;
  /** Added behind each letter, in pixels; default 0. */
  spacing?: number;
}

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

/**
 * The shift that moves the range `from` to `to` between `min` and `max`; where it is too long, its start is at `min`.
 */
export const moveInside = (from: number, to: number, min: number, max: number): number =>
  Math.max(min - from, Math.min(0, max - to));

export const newInk = (): Ink => ({ drawn: 0, hidden: 0 });

/**
 * Up to a tenth of a text may lie on its own colour, such as that of a dotted picture; with more the text is not
 * legible.
 */
const MAX_HIDDEN_PART = 0.1;

export const isHidden = ({ drawn, hidden }: Ink): boolean => hidden > drawn * MAX_HIDDEN_PART;
