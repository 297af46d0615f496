import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createCanvas, GlobalFonts } from "@napi-rs/canvas";
import { type CodeTable, createCodeTable, getCode, setCode } from "./code-point-table.ts";
import { coverageOf } from "./coverage.ts";

/** A pinned font file, registered under a name of its own. */
export interface Source {
  family: string;
  has: ReadonlySet<number>;
  /** How much narrower it is drawn than it is. */
  stretch: number;
}

/** A typeface without a size: lengths are in em, and scale with it. */
interface Typeface {
  /** The first that has a character draws it. */
  sources: readonly Source[];
  /** Heights above and below the baseline. */
  ascent: number;
  descent: number;
  /** What its sources have, by code point, as far as it was asked for. */
  characters: CodeTable<Character>;
}

const MEASURED_AT = 1000;
/** DejaVu's condensed faces have nine tenths of the width; what they lack is drawn as narrow. */
const CONDENSED = 0.9;
/** The box that stands for a character that no source has, in em. */
export const missingBox = { advance: 0.66, left: 0.08, width: 0.5, height: 0.73 } as const;

const require = createRequire(import.meta.url);
const dejavu = (name: string): string => `dejavu-fonts-ttf/ttf/${name}.ttf`;
const noto = (name: string): string => `@expo-google-fonts/noto-sans/${name}/NotoSans_${name}.ttf`;

const measuring = createCanvas(1, 1).getContext("2d");
measuring.lang = "en";

/**
 * The typefaces that a design may use. They come from pinned packages, so that a picture is the same on every machine;
 * Noto Sans has the newer currency signs and the rare letters that DejaVu lacks.
 */
const typefaces = {
  regular: load("regular", [dejavu("DejaVuSans"), noto("400Regular")]),
  bold: load("bold", [dejavu("DejaVuSans-Bold"), noto("700Bold")]),
  condensed: load("condensed", [dejavu("DejaVuSansCondensed"), noto("400Regular")], CONDENSED),
  "condensed-bold": load("condensed-bold", [dejavu("DejaVuSansCondensed-Bold"), noto("700Bold")], CONDENSED),
};

export type Face = keyof typeof typefaces;

function load(face: string, files: readonly [string, string], stretch = 1): Typeface {
  const [first, second] = files.map((file, index) => register(`Shelfwire ${face} ${index}`, file));
  if (first === undefined || second === undefined) throw new TypeError(`${face} needs two font files`);
  measuring.font = `${MEASURED_AT}px "${first.family}"`;
  const { fontBoundingBoxAscent, fontBoundingBoxDescent } = measuring.measureText("x");
  return {
    sources: [
      { ...first, stretch: 1 },
      { ...second, stretch },
    ],
    ascent: fontBoundingBoxAscent / MEASURED_AT,
    descent: fontBoundingBoxDescent / MEASURED_AT,
    characters: createCodeTable(),
  };
}

function register(family: string, file: string): Omit<Source, "stretch"> {
  const path = require.resolve(file);
  if (GlobalFonts.registerFromPath(path, family) === null) throw new TypeError(`${path} is no font`);
  return { family, has: coverageOf(readFileSync(path)) };
}

/** Scripts that stand from left to right in letters of one shape. What others need (joining, reordering) is not drawn here. */
const DRAWABLE =
  /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Georgian}\p{Script=Common}\p{Script=Inherited}]$/u;
/** Characters that are told to be invisible (Unicode, Default_Ignorable_Code_Point), such as a zero-width joiner. */
const INVISIBLE = /^\p{Default_Ignorable_Code_Point}$/u;

/** What a face knows of a character, in em. */
interface Character {
  /** How far it moves the pen. */
  advance: number;
  /** How far its ink reaches above and below the baseline. */
  top: number;
  bottom: number;
  /** Where its shape comes from; absent for one that is invisible, and for one that nobody has. */
  source?: Source;
  isMissing: boolean;
}

const invisible: Character = { advance: 0, top: 0, bottom: 0, isMissing: false };
const missing: Character = { advance: missingBox.advance, top: missingBox.height, bottom: 0, isMissing: true };

/** Only characters that a source has are kept: a caller may send any others, and their number must not grow. */
export const characterOf = (face: Face, code: number): Character =>
  getCode(typefaces[face].characters, code) ?? findCharacter(face, code);

function findCharacter(face: Face, code: number): Character {
  const { characters, sources } = typefaces[face];
  const character = String.fromCodePoint(code);
  if (INVISIBLE.test(character)) return invisible;
  const source = sources.find(({ has }) => has.has(code));
  if (source === undefined || !DRAWABLE.test(character)) return missing;
  measuring.font = `${MEASURED_AT}px "${source.family}"`;
  const { width, actualBoundingBoxAscent, actualBoundingBoxDescent } = measuring.measureText(character);
  const found = {
    advance: (width / MEASURED_AT) * source.stretch,
    top: actualBoundingBoxAscent / MEASURED_AT,
    bottom: actualBoundingBoxDescent / MEASURED_AT,
    source,
    isMissing: false,
  };
  setCode(characters, code, found);
  return found;
}

/** The code points of a text, one after the other; without making a text of each, which takes longer than drawing it. */
export function eachCode(text: string, visit: (code: number) => void): void {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.codePointAt(at) as number;
    if (code > 0xffff) at += 1;
    visit(code);
  }
}

/** How far the ink of a text reaches above and below the baseline, in em. */
export function reachOf(face: Face, text: string): { top: number; bottom: number } {
  const reach = { top: 0, bottom: 0 };
  eachCode(text, (code) => {
    const { top, bottom } = characterOf(face, code);
    if (top > reach.top) reach.top = top;
    if (bottom > reach.bottom) reach.bottom = bottom;
  });
  return reach;
}

/** Heights of a line above and below the baseline, in em: the face's own, or more where a character reaches further. */
export function heightsOf(face: Face, text: string): { ascent: number; descent: number } {
  const { ascent, descent } = typefaces[face];
  const { top, bottom } = reachOf(face, text);
  return { ascent: Math.max(ascent, top), descent: Math.max(descent, bottom) };
}

/** How far a character moves the pen, in em. */
export const advanceOf = (face: Face, character: string): number =>
  characterOf(face, character.codePointAt(0) ?? 0).advance;

/** Width of a text in one line, in em. */
export function widthOf(face: Face, text: string): number {
  let width = 0;
  eachCode(text, (code) => {
    width += characterOf(face, code).advance;
  });
  return width;
}

/** The characters of a text that the face lacks: each is drawn as a box. */
export function missingIn(face: Face, text: string): string[] {
  const found = new Set<number>();
  eachCode(text, (code) => {
    if (characterOf(face, code).isMissing) found.add(code);
  });
  return Array.from(found, (code) => String.fromCodePoint(code));
}
