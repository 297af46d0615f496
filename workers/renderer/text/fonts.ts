import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createCanvas, GlobalFonts } from "@napi-rs/canvas";
import { isApostrophied, marksOver } from "../glyphs/compose-letter.ts";
import { readableFrom } from "../glyphs/readable.ts";
import { type CodeTable, createCodeTable, getCode, setCode } from "./code-point-table.ts";
import { coverageOf } from "./coverage.ts";

/** A pinned font file, registered under its own family name. */
export interface Source {
  family: string;
  has: ReadonlySet<number>;
  /** Horizontal scale at which it is drawn. */
  stretch: number;
}

/** A typeface; lengths are in em and scale with the size. */
interface Typeface {
  /** A character is drawn by the first source that has it. */
  sources: readonly Source[];
  /** Heights above and below the baseline. */
  ascent: number;
  descent: number;
  /** Cache of measured characters by code point. */
  characters: CodeTable<Character>;
}

const MEASURED_AT = 1000;
/** Width of DejaVu's condensed faces; characters of other sources are scaled to it. */
const CONDENSED = 0.9;
/** Added to the advance of ď, ľ, ť and Ľ, in em, so that their mark is not read as one of the next letter. */
const APOSTROPHE = { d: 0.18, others: 0.12 };
/** The box that is drawn for a character that no source has, in em. */
export const missingBox = { advance: 0.66, left: 0.08, width: 0.5, height: 0.73 } as const;

const require = createRequire(import.meta.url);
const dejavu = (name: string): string => `dejavu-fonts-ttf/ttf/${name}.ttf`;
const noto = (name: string): string => `@expo-google-fonts/noto-sans/${name}/NotoSans_${name}.ttf`;

const measuring = createCanvas(1, 1).getContext("2d");
measuring.lang = "en";

/**
 * The typefaces of designs. They come from pinned packages, so that pictures are the same on every machine; Noto Sans
 * has newer currency signs and rare letters that DejaVu lacks.
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

/**
 * Scripts that are written from left to right in letters of one shape. Others are shaped (workers/renderer/shaping/), or
 * are missing.
 */
const DRAWABLE =
  /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Georgian}\p{Script=Common}\p{Script=Inherited}]$/u;
/** Characters without ink (Unicode, Default_Ignorable_Code_Point), such as a zero-width joiner. */
const INVISIBLE = /^\p{Default_Ignorable_Code_Point}$/u;

/** A character of a face; lengths are in em. */
interface Character {
  /** Distance by which it moves the pen. */
  advance: number;
  /** Extent of its ink above and below the baseline. */
  top: number;
  bottom: number;
  /** Size in pixels from which it looks like no other character of its alphabet. */
  readableFrom: number;
  /** The source that draws it; absent if it is invisible or missing. */
  source?: Source;
  isMissing: boolean;
}

const invisible: Character = { advance: 0, top: 0, bottom: 0, readableFrom: 0, isMissing: false };
const missing: Character = {
  advance: missingBox.advance,
  top: missingBox.height,
  bottom: 0,
  readableFrom: 0,
  isMissing: true,
};

/**
 * Measures a character once. Only characters that a source has are cached: callers may send any others, and the cache
 * must stay bounded.
 */
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
    advance: (width / MEASURED_AT + apostropheOf(character)) * source.stretch,
    top: Math.max(actualBoundingBoxAscent / MEASURED_AT, roomFor(character)),
    bottom: actualBoundingBoxDescent / MEASURED_AT,
    readableFrom: readableFrom(character),
    source,
    isMissing: false,
  };
  setCode(characters, code, found);
  return found;
}

function apostropheOf(character: string): number {
  if (!isApostrophied(character)) return 0;
  return character === "ď" ? APOSTROPHE.d : APOSTROPHE.others;
}

/** Space above the baseline that a letter with marks needs, in em: small marks are higher than those of an outline. */
function roomFor(character: string): number {
  const marks = marksOver(character);
  if (marks === "two") return 1.06;
  return marks === "one" && /^[\p{Lu}ĺḃḋḟṫ]$/u.test(character) ? 0.96 : 0;
}

/**
 * Calls `visit` with each code point of a text, without allocating a string for each, which would take longer than
 * drawing it.
 */
export function eachCode(text: string, visit: (code: number) => void): void {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.codePointAt(at) as number;
    if (code > 0xffff) at += 1;
    visit(code);
  }
}

/** Extent of a text's ink above and below the baseline, in em. */
export function reachOf(face: Face, text: string): { top: number; bottom: number } {
  const extent = { top: 0, bottom: 0 };
  eachCode(text, (code) => {
    const { top, bottom } = characterOf(face, code);
    if (top > extent.top) extent.top = top;
    if (bottom > extent.bottom) extent.bottom = bottom;
  });
  return extent;
}

/** The size in pixels from which all characters of a text can be told from others. */
export function readableSize(face: Face, text: string): number {
  let size = 0;
  eachCode(text, (code) => {
    size = Math.max(size, characterOf(face, code).readableFrom);
  });
  return size;
}

/** Heights of a line above and below the baseline, in em: the face's own, or more where a character is higher. */
export function heightsOf(face: Face, text: string): { ascent: number; descent: number } {
  const { ascent, descent } = typefaces[face];
  const { top, bottom } = reachOf(face, text);
  return { ascent: Math.max(ascent, top), descent: Math.max(descent, bottom) };
}

/** Advance of a character, in em. */
export const advanceOf = (face: Face, character: string): number =>
  characterOf(face, character.codePointAt(0) ?? 0).advance;

/** Width of a text in one line, in em, with so much added behind each letter. */
export function widthOf(face: Face, text: string, spacing = 0): number {
  let width = 0;
  eachCode(text, (code) => {
    const { advance } = characterOf(face, code);
    if (advance > 0) width += advance + spacing;
  });
  return width;
}

/** The characters of a text that the face lacks, each of which is drawn as a box. */
export function missingIn(face: Face, text: string): string[] {
  const found = new Set<number>();
  eachCode(text, (code) => {
    if (characterOf(face, code).isMissing) found.add(code);
  });
  return Array.from(found, (code) => String.fromCodePoint(code));
}
