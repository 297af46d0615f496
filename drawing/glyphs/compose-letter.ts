import { marksAbove, type Style } from "./marks.ts";
import { type MarkBelow, markBelow } from "./marks-below.ts";
import {
  addGlyph,
  addStrip,
  type Glyph,
  glyphOfInk,
  heightOf,
  type Ink,
  type Strip,
  widthOf,
  withoutRow,
} from "./pixels.ts";

/** The size and weight of a face, and its letters as rendered from their outlines. */
export interface Letters {
  size: number;
  isBold: boolean;
  /** Returns the glyph of a letter without marks, at this size or a smaller one. */
  glyphOf(letter: string, size: number): Glyph;
  /** Returns how many rows a line has for a character above and below the baseline. */
  roomOf(character: string): { above: number; below: number };
}

/** At this size and above, a mark's strokes are two pixels wide. */
const THICK = { bold: 9, regular: 15 };
/** At this size and above, the tall form of a mark is drawn if it fits. */
const HIGH = 13;
/** Maximum number of pixels by which a capital is lowered to make room for a mark. */
const MAX_SQUEEZE = 2;
/** Maximum width in pixels of a thick mark that may be wider than its letter. A wider mark would touch the adjacent letters. */
const NARROW = 4;
const HORN = "\u031b";
const CARON = "\u030c";
const RING = "\u030a";
const DOTLESS: Readonly<Record<string, string>> = { i: "ı", j: "ȷ", і: "ı", ј: "ȷ" };

/**
 * Composes a letter with marks on the pixel grid: the letter as rendered from its outline, the marks drawn by hand. So all
 * letters with the same base have identical pixels except for their marks, and no two marks look alike. Returns undefined for
 * letters without marks, or with other marks: their outline is drawn.
 */
export function composeLetter(character: string, letters: Letters): Glyph | undefined {
  const { base, above, below } = partsOf(character);
  if (base === "" || above + below === "") return undefined;
  if (hasApostrophe(base, above)) return withApostrophe(base, letters);
  if (base === "g" && below === "\u0327") return withMarks(base, character, { above: "\u0312", below: "" }, letters);
  return withMarks(base, character, { above, below }, letters);
}

const hasApostrophe = (base: string, above: string): boolean => above === CARON && /^[dltL]$/.test(base);

/** Whether a letter has a mark next to its upper end, so it needs space before the next letter. */
export function isApostrophied(character: string): boolean {
  const { base, above } = partsOf(character);
  return hasApostrophe(base, above);
}

/** Whether a letter has one or two marks above it, which need more room than a line usually has. */
export function marksOver(character: string): "none" | "one" | "two" {
  const { base, above } = partsOf(character);
  if (base === "" || above === "") return "none";
  return above.length > 1 ? "two" : "one";
}

/** Splits a letter into its base, which keeps a horn, and its marks. The base is empty if a mark is unknown. */
function partsOf(character: string): { base: string; above: string; below: string } {
  const [letter = "", ...marks] = character.normalize("NFD");
  const base = (letter + marks.filter((mark) => mark === HORN).join("")).normalize("NFC");
  const below = marks.filter((mark) => markBelow(letter, mark) !== undefined).join("");
  const above = marks.filter((mark) => mark !== HORN && !below.includes(mark)).join("");
  const isKnown = (above === "" || marksAbove.has(above)) && below.length <= 1;
  // A Greek capital has its accent in front of it.
  const isGreekCapital = /^[\u0391-\u03a9]$/.test(base) && above === "\u0301";
  return isKnown && !isGreekCapital ? { base, above, below } : { base: "", above: "", below: "" };
}

function withMarks(
  base: string,
  character: string,
  { above, below }: { above: string; below: string },
  letters: Letters,
): Glyph {
  const room = letters.roomOf(character);
  const ink: Ink = new Map();
  let glyph = letters.glyphOf(base, letters.size);
  if (above !== "") {
    const raised = makeRoom(DOTLESS[base] ?? base, above, room.above, letters);
    glyph = raised.glyph;
    addStrip(ink, raised.strip, leftOf(base, above, glyph, widthOf(raised.strip)), raised.top);
  }
  addGlyph(ink, glyph);
  const mark = markBelow(base, below);
  if (mark !== undefined) addBelow(ink, mark, glyph, room.below, letters);
  return glyphOfInk(ink, glyph.shift);
}

/**
 * Lowers a letter far enough for its mark to fit into this many rows. Returns it with the mark's strip and the strip's first
 * row.
 */
function makeRoom(
  letter: string,
  above: string,
  rows: number,
  letters: Letters,
): { glyph: Glyph; strip: Strip; top: number } {
  let glyph = letters.glyphOf(letter, letters.size);
  for (let smaller = 0; ; smaller += 1) {
    if (smaller > 0) glyph = withoutRow(glyph) ?? letters.glyphOf(letter, letters.size - smaller);
    const free = rows + glyph.top;
    // A ring may touch its letter, as in many typefaces.
    const strip =
      stripFor(above, glyph, free - 1, letters) ??
      (above === RING ? stripFor(above, glyph, free, letters) : undefined) ??
      (smaller === MAX_SQUEEZE ? lowest(above, glyph, letters) : undefined);
    if (strip === undefined) continue;
    const gap = Math.max(0, Math.min(1, free - heightOf(strip)));
    return { glyph, strip, top: glyph.top - gap - heightOf(strip) };
  }
}

const isThick = ({ size, isBold }: Letters): boolean => size >= (isBold ? THICK.bold : THICK.regular);

function stylesFor(letters: Letters): Style[] {
  const stroke = isThick(letters) ? "thick" : "thin";
  return letters.size >= HIGH ? [`${stroke}-high`, `${stroke}-low`] : [`${stroke}-low`];
}

/** Returns the tallest strip of a mark that fits into `rows` rows. */
const stripFor = (above: string, glyph: Glyph, rows: number, letters: Letters): Strip | undefined =>
  stylesFor(letters)
    .map((style) => stripOf(above, style, glyph))
    .find((strip) => heightOf(strip) <= rows);

const lowest = (above: string, glyph: Glyph, letters: Letters): Strip =>
  stripOf(above, isThick(letters) ? "thick-low" : "thin-low", glyph);

function stripOf(above: string, style: Style, { left, right }: Glyph): Strip {
  const mark = marksAbove.get(above);
  if (mark === undefined) throw new TypeError(`there is no mark ${JSON.stringify(above)}`);
  const byWidth = (strip: (typeof mark)[Style]): Strip =>
    typeof strip === "string" ? strip : strip[(right - left) % 2 === 0 ? 0 : 1];
  const strip = byWidth(mark[style]);
  return widthOf(strip) > Math.max(right - left, NARROW) ? byWidth(mark["thin-low"]) : strip;
}

/**
 * Returns the first column of a mark in the middle of a letter. If the middle is between two columns, an acute goes to the
 * right.
 */
function leftOf(base: string, above: string, { left, right }: Glyph, width: number): number {
  if (base === "L") return left;
  const start = (left + right - width) / 2;
  return above.endsWith("\u0301") || above.endsWith("\u0309") ? Math.ceil(start) : Math.floor(start);
}

function addBelow(ink: Ink, mark: MarkBelow, glyph: Glyph, room: number, letters: Letters): void {
  const stroke = isThick(letters) ? "thick" : "thin";
  const isDot = mark.low[stroke] === "##" || mark.low[stroke] === "#";
  // The stem of a y extends to the left below the line, so there is room for a dot on its right.
  const bottom = isDot && glyph.bottom > 1 ? 0 : glyph.bottom;
  const isHigh = bottom + mark.gap + heightOf(mark.high[stroke]) <= Math.max(room, 2);
  const strip = isHigh ? mark.high[stroke] : mark.low[stroke];
  const gap = isHigh || isDot ? mark.gap : 0;
  const middle = Math.floor((glyph.left + glyph.right - widthOf(strip)) / 2);
  const isRight = mark.at === "right" || bottom !== glyph.bottom;
  addStrip(ink, strip, isRight ? Math.max(glyph.left, glyph.right - widthOf(strip)) : middle, bottom + gap);
}

/** The caron of d, l, t and L is written as an apostrophe next to the upper end of the stem. */
function withApostrophe(base: string, letters: Letters): Glyph {
  const glyph = letters.glyphOf(base, letters.size);
  const ink: Ink = new Map();
  addGlyph(ink, glyph);
  const stem = Math.max(...(ink.get(glyph.top) ?? []));
  const isHigh = letters.size >= HIGH;
  const stroke = isThick(letters) && isHigh ? "##" : "#";
  const strip = Array(isHigh ? 3 : 2)
    .fill(stroke)
    .join("/");
  const top = base === "t" ? letters.glyphOf("l", letters.size).top : glyph.top;
  const column = base === "L" ? Math.max(stem + 3, glyph.right - stroke.length) : stem + 2;
  addStrip(ink, strip, column, top);
  return glyphOfInk(ink, glyph.shift);
}
