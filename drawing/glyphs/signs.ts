import type { Letters } from "./compose-letter.ts";
import {
  addGlyph,
  addStrip,
  flipped,
  type Glyph,
  glyphOfInk,
  type Ink,
  mirrored,
  type Strip,
  twice,
  widthOf,
} from "./pixels.ts";

/** Draws a character whose distinguishing features are lost in small outlines. */
export type Draw = (letters: Letters) => Glyph;

/** At this size and above, strokes of bold signs are two pixels wide. */
const BOLD = 10;
/** At this size and above, these signs have room for more detail. At DETAILED_TO and above, their outlines are good. */
const DETAILED = 10;
const DETAILED_TO = 13;
/** Height of capitals, in em. */
const CAP = 0.74;
/** Size of the estimated sign, relative to the capitals: an e as tall as a capital. */
const ESTIMATED = 1.3;

export const isThick = ({ size, isBold }: Letters): boolean => isBold && size >= BOLD;

const comma = (letters: Letters): Strip => (isThick(letters) ? ".##/.##/##." : ".#/.#/#.");
const tick = (letters: Letters): Strip => (isThick(letters) ? "##/##/##" : "#/#/#");

function chevrons(letters: Letters): Strip {
  if (letters.size < DETAILED) return ".#.#/#.#./.#.#";
  const isWide = isThick(letters) && letters.size >= DETAILED_TO;
  return isWide ? "..##.##/.##.##./##.##../.##.##./..##.##" : "..#..#/.#..#./#..#../.#..#./..#..#";
}

const ringed =
  (small: Strip, large: Strip) =>
  (letters: Letters): Strip =>
    letters.size < DETAILED ? small : large;
const registered = ringed(
  "..###../.#...#./#.##..#/#.#.#.#/#.##..#/.##.##./..###..",
  "..#####../.#.....#./#.###...#/#.#..#..#/#.###...#/#.#.#...#/#.#..#..#/.#.....#./..#####..",
);
const copyright = ringed(
  "..###../.#...#./#..##.#/#.#...#/#..##.#/.#...#./..###..",
  "..#####../.#.....#./#...##..#/#..#....#/#..#....#/#..#....#/#...##..#/.#.....#./..#####..",
);
const trademark = ({ size }: Letters): Strip =>
  size < DETAILED_TO ? "###.#.#/.#..###/.#..#.#" : "###.#...#/.#..##.##/.#..#.#.#/.#..#...#";

/** The degree sign. Its outline becomes a D or an a at several sizes. */
function degree({ size }: Letters): Strip {
  if (size < DETAILED) return ".#./#.#/.#.";
  return size < 15 ? ".##./#..#/#..#/.##." : ".###./#...#/#...#/#...#/.###.";
}

/** Fractions. Each is as wide as its digits and its stroke require. */
const half = ".#...#../##...#../.#..#.../.#.#..../...#.##./..#....#/.#....#./.#...###";
const quarter = ".#...#../##...#../.#..#.../.#.#..../...#.#.#/..#..#.#/.#...###/.#.....#";
const threeQuarters = "##...#../.##..#../..#.#.../##.#..../...#.#.#/..#..#.#/.#...###/.#.....#";

/** Draws a strip. `top` is the height of its first row above the baseline, in em, but at least this many rows. */
const at =
  (strip: Strip | ((letters: Letters) => Strip), top: number, atLeast = 0): Draw =>
  (letters) => {
    const ink: Ink = new Map();
    const drawn = typeof strip === "string" ? strip : strip(letters);
    addStrip(ink, drawn, Math.floor(letters.size * 0.06), -Math.max(Math.round(top * letters.size), atLeast));
    return glyphOfInk(ink, 0);
  };

/** Uses a hand-drawn glyph below a size, and the font's outline at that size and above. */
const below =
  (size: number, character: string, draw: Draw): Draw =>
  (letters) =>
    letters.size < size ? draw(letters) : letters.glyphOf(character, letters.size);

const inverted = (strip: (letters: Letters) => Strip) => (letters: Letters) => mirrored(flipped(strip(letters)));
const doubled = (strip: (letters: Letters) => Strip) => (letters: Letters) => twice(strip(letters));

/** Adds the tail of a comma below a point. */
const withTail =
  (point: string): Draw =>
  (letters) => {
    const glyph = letters.glyphOf(point, letters.size);
    const ink: Ink = new Map();
    addGlyph(ink, glyph);
    const tail = isThick(letters) ? ".##/##." : ".#/#.";
    addStrip(ink, tail, glyph.right - widthOf(tail), glyph.bottom);
    return glyphOfInk(ink, glyph.shift);
  };

/** Draws a dash at the height of the hyphen, and at least this many pixels longer. */
const dash =
  (em: number, more: number): Draw =>
  (letters) => {
    const { left, right, top, bottom, shift } = letters.glyphOf("-", letters.size);
    const ink: Ink = new Map();
    const stroke = "#".repeat(Math.max(Math.round(letters.size * em), right - left + more));
    for (let row = top; row < bottom; row += 1) addStrip(ink, stroke, Math.min(left, 0), row);
    return glyphOfInk(ink, shift);
  };

/** Signs that are drawn by hand at small sizes. */
export const drawnSigns: readonly (readonly [character: string, draw: Draw])[] = [
  [",", withTail(".")],
  [";", withTail(":")],
  ["‚", withTail(".")],
  ["'", at(tick, CAP)],
  ['"', at(doubled(tick), CAP)],
  ["’", at(comma, CAP)],
  ["‘", at(inverted(comma), CAP)],
  ["”", at(doubled(comma), CAP)],
  ["“", at(doubled(inverted(comma)), CAP)],
  ["„", at(doubled(comma), 0.1, 1)],
  ["–", dash(0.5, 2)],
  ["—", dash(0.9, 4)],
  ["«", below(DETAILED_TO, "«", at(chevrons, 0.5))],
  [
    "»",
    below(
      DETAILED_TO,
      "»",
      at((letters) => mirrored(chevrons(letters)), 0.5),
    ),
  ],
  ["°", at(degree, CAP)],
  ["®", below(DETAILED_TO + 2, "®", at(registered, CAP, 7))],
  ["©", below(DETAILED_TO + 2, "©", at(copyright, CAP, 7))],
  ["™", at(trademark, CAP)],
  ["½", below(DETAILED_TO + 1, "½", at(half, 0, 8))],
  ["¼", below(DETAILED_TO + 1, "¼", at(quarter, 0, 8))],
  ["¾", below(DETAILED_TO + 1, "¾", at(threeQuarters, 0, 8))],
  ["℮", (letters) => letters.glyphOf("e", Math.round(letters.size * ESTIMATED))],
];
