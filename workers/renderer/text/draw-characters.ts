import { drawRuns, type Framebuffer, type Ink } from "../pixels/framebuffer.ts";
import { characterOf, eachCode, type Face } from "./fonts.ts";
import { type Glyph, inkOf } from "./glyphs.ts";

/** A text in one line, by where its pen begins. */
export interface Characters {
  face: Face;
  size: number;
  text: string;
  left: number;
  baseline: number;
}

/** Hands over where the ink of each character stands. */
export function eachStamp(
  { face, size, text, left, baseline }: Characters,
  visit: (glyph: Glyph, x: number, y: number) => void,
): void {
  const glyphOf = inkOf(face, size);
  let pen = left;
  eachCode(text, (code) => {
    const glyph = glyphOf(code);
    visit(glyph, Math.round(pen - glyph.shift), baseline);
    pen += characterOf(face, code).advance * size;
  });
}

/** Draws a text in one line, and adds to `ink` how much of it can be seen. */
export function drawCharacters(target: Framebuffer, characters: Characters, color: number, ink: Ink): void {
  eachStamp(characters, (glyph, x, y) => drawRuns(target, glyph.runs, x, y, color, ink));
}

/** How far something that reaches from `from` to `to` must be moved to lie between `least` and `most`. */
export const moveInside = (from: number, to: number, least: number, most: number): number =>
  Math.max(least - from, Math.min(0, most - to));

export const newInk = (): Ink => ({ drawn: 0, hidden: 0 });

/** A tenth of a text may lie on its own colour, such as a dotted picture; with more it is not read as it stands. */
const HIDDEN_PART = 0.1;

export const isHidden = ({ drawn, hidden }: Ink): boolean => hidden > drawn * HIDDEN_PART;
