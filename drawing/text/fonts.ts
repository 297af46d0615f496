import { LRUCache } from "lru-cache";
import type { Typeface as PinnedFace } from "../../schemas/canvas-parts.ts";
import { PLAIN, readableFrom } from "../glyphs/readable.ts";
import { apostropheOf, roomFor } from "../glyphs/room-for-marks.ts";
import { type CodeTable, createCodeTable, eachCode, getCode, setCode } from "./code-point-table.ts";
import { openOwnSource } from "./own-source.ts";
import { lineOf, measure, type OwnSource, register, type Source } from "./sources.ts";

/** A typeface. Lengths are in em. */
interface Typeface {
  /** The first source that has a character draws it. */
  sources: readonly Source[];
  /** A tenant's font: the first source. The others draw the characters that it lacks, with a warning. */
  own?: OwnSource;
  isBold: boolean;
  /** Heights above and below the baseline. */
  ascent: number;
  descent: number;
  /** Returns how many pixels larger a character of the first source must be than in other faces to be told apart. */
  larger: (character: string) => number;
  /** Cache of measured characters by code point. */
  characters: CodeTable<Character>;
}

/**
 * Widths of condensed and narrow faces, to which characters of other sources are scaled, and extra space between narrow
 * words.
 */
const [CONDENSED, NARROW, NARROW_BLANK] = [0.9, 0.75, 0.06];
/** The box that is drawn for a character that no source has, in em. */
export const missingBox = { advance: 0.66, left: 0.08, width: 0.5, height: 0.73 } as const;

const dejavu = (name: string): string => `dejavu-fonts-ttf/ttf/${name}.ttf`;
const FIRA = "@expo-google-fonts/fira-sans-extra-condensed/500Medium/FiraSansExtraCondensed_500Medium.ttf";
const noto = (name: string): string => `@expo-google-fonts/noto-sans/${name}/NotoSans_${name}.ttf`;

/**
 * The typefaces that Shelfwire ships, from pinned packages, so that pictures are the same on every machine. Noto Sans has
 * newer currency signs and rare letters that DejaVu lacks.
 */
const typefaces: Readonly<Record<PinnedFace, Typeface>> = {
  regular: load("regular", [[dejavu("DejaVuSans")], [noto("400Regular")]]),
  bold: load("bold", [[dejavu("DejaVuSans-Bold")], [noto("700Bold")]]),
  condensed: load("condensed", [[dejavu("DejaVuSansCondensed")], [noto("400Regular"), CONDENSED]]),
  "condensed-bold": load("condensed-bold", [[dejavu("DejaVuSansCondensed-Bold")], [noto("700Bold"), CONDENSED]]),
  narrow: load(
    "narrow",
    [[FIRA], [dejavu("DejaVuSansCondensed"), NARROW], [noto("400Regular"), CONDENSED * NARROW]],
    (character) => largerInNarrow(character),
  ),
};

/** A typeface that Shelfwire ships, or the full key of a tenant's font. */
export type Face = string;

type File = readonly [file: string, stretch?: number];

function load(face: PinnedFace, files: readonly [File, ...File[]], larger: Typeface["larger"] = () => 0): Typeface {
  const sourceOf = ([file, stretch = 1]: File, index: number) => register(`Shelfwire ${face} ${index}`, file, stretch);
  const sources = files.map(sourceOf) as [Source, ...Source[]];
  return { sources, isBold: face.endsWith("bold"), ...lineOf(sources[0]), larger, characters: createCodeTable() };
}

/** Returns the additional space after a character of the narrow face, in em: between words, and after the caron of a ľ. */
const roomIn = (face: Face, character: string): number =>
  face === "narrow" ? apostropheOf(character) + (character === " " ? NARROW_BLANK : 0) : 0;

/** In the narrow face, an 8 and a B can be told apart at 10 pixels and above, and т and г at 15 and above. */
const largerInNarrow = (character: string): number => (/\p{Script=Cyrillic}/u.test(character) ? 4 : 2);

/** Maximum size of all open tenants' fonts in bytes, and the bytes that each character adds to its file's size. */
const MAX_OWN_BYTES = 128 * 1024 * 1024;
const BYTES_PER_CHARACTER = 200;

const ownTypefaces = new LRUCache<Face, { typeface: Typeface | undefined; bytes: number }>({
  maxSize: MAX_OWN_BYTES,
  sizeCalculation: ({ bytes }) => bytes,
});

/** Opens a tenant's font under its full key, and caches it. If there is no file, caches that it is missing. */
export function addFace(face: Face, file: Uint8Array | undefined, readable = PLAIN): void {
  if (file === undefined) return void ownTypefaces.set(face, { typeface: undefined, bytes: 1 });
  const own = openOwnSource(face, file);
  const { isBold } = own.font;
  const sources = [own, ...typefaces[isBold ? "bold" : "regular"].sources];
  const typeface = {
    sources,
    own,
    isBold,
    ...lineOf(own),
    larger: () => Math.max(0, readable - PLAIN),
    characters: createCodeTable<Character>(),
  };
  ownTypefaces.set(face, { typeface, bytes: file.length + own.has.size * BYTES_PER_CHARACTER });
}

/** Whether the cache has an entry for a tenant's font, even for a missing file; and whether it has the font itself. */
export const isKnownFace = (face: Face): boolean => ownTypefaces.has(face);
export const isOpenFace = (face: Face): boolean => ownTypefaces.get(face)?.typeface !== undefined;

function typefaceOf(face: Face): Typeface {
  const found = typefaces[face as PinnedFace] ?? ownTypefaces.get(face)?.typeface;
  if (found === undefined) throw new TypeError(`the font ${face} is not open`);
  return found;
}

export const isBoldFace = (face: Face): boolean => typefaceOf(face).isBold;

/** Returns the tenant's font of a face. Undefined for a typeface of Shelfwire. */
export const ownSourceOf = (face: Face): OwnSource | undefined => typefaceOf(face).own;

/** Left-to-right scripts in which each letter has only one shape. Others are shaped (drawing/shaping/) or missing. */
const DRAWABLE =
  /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Georgian}\p{Script=Common}\p{Script=Inherited}]$/u;
/** Characters without ink (Unicode, Default_Ignorable_Code_Point), such as a zero-width joiner. */
const INVISIBLE = /^\p{Default_Ignorable_Code_Point}$/u;

/** A character of a face. Lengths are in em. */
interface Character {
  /** Distance by which the character moves the pen. */
  advance: number;
  /** Extent of the character's ink above and below the baseline. */
  top: number;
  bottom: number;
  /** The smallest size, in pixels, at which the character looks different from all others of its alphabet. */
  readableFrom: number;
  /** The source that draws the character. Absent if it is invisible or missing. */
  source?: Source;
  isMissing: boolean;
  /** Whether a typeface of Shelfwire draws it because the tenant's font lacks it. */
  isReplaced: boolean;
}

const invisible: Character = {
  ...{ advance: 0, top: 0, bottom: 0, readableFrom: 0 },
  ...{ isMissing: false, isReplaced: false },
};
const missing: Character = {
  advance: missingBox.advance,
  top: missingBox.height,
  bottom: 0,
  readableFrom: 0,
  isMissing: true,
  isReplaced: false,
};

/**
 * Measures a character once. Only characters that a source has are cached: callers may send any others, and the cache must
 * stay bounded.
 */
export const characterOf = (face: Face, code: number): Character =>
  getCode(typefaceOf(face).characters, code) ?? findCharacter(face, code);

/** Calls `visit` with each character of a text. */
function eachCharacter(face: Face, text: string, visit: (character: Character, code: number) => void): void {
  const { characters } = typefaceOf(face);
  eachCode(text, (code) => visit(getCode(characters, code) ?? findCharacter(face, code), code));
}

function findCharacter(face: Face, code: number): Character {
  const { characters, sources, own, larger } = typefaceOf(face);
  const character = String.fromCodePoint(code);
  if (INVISIBLE.test(character)) return invisible;
  const source = sources.find(({ has }) => has.has(code));
  if (source === undefined || !DRAWABLE.test(character)) return missing;
  const { advance, top, bottom } = measure(source, character);
  const found = {
    advance: advance + apostropheOf(character) * ("stretch" in source ? source.stretch : 1) + roomIn(face, character),
    top: Math.max(top, roomFor(character)),
    bottom,
    readableFrom: readableFrom(character) + (source === sources[0] ? larger(character) : 0),
    source,
    isMissing: false,
    isReplaced: own !== undefined && source !== own,
  };
  setCode(characters, code, found);
  return found;
}

/** The common properties of all characters of a text. */
export interface Traits {
  /** Extent of the text's ink above and below the baseline, in em. */
  top: number;
  bottom: number;
  /** The smallest size, in pixels, at which all of the text's characters can be told apart from others. */
  readableFrom: number;
  /** Whether the face lacks any of these characters. */
  isLacking: boolean;
}

const LINE_FEED = 10;

export function traitsOf(face: Face, text: string): Traits {
  const traits: Traits = { top: 0, bottom: 0, readableFrom: 0, isLacking: false };
  eachCharacter(face, text, ({ top, bottom, readableFrom, isMissing, isReplaced }, code) => {
    if (top > traits.top) traits.top = top;
    if (bottom > traits.bottom) traits.bottom = bottom;
    if (readableFrom > traits.readableFrom) traits.readableFrom = readableFrom;
    if ((isMissing || isReplaced) && code !== LINE_FEED) traits.isLacking = true;
  });
  return traits;
}

/** Returns the extent of a text's ink above and below the baseline, in em. */
export function reachOf(face: Face, text: string): Pick<Traits, "top" | "bottom"> {
  const { top, bottom } = traitsOf(face, text);
  return { top, bottom };
}

/** Returns the smallest size, in pixels, at which all characters of a text can be told apart from others. */
export const readableSize = (face: Face, text: string): number => traitsOf(face, text).readableFrom;

/** Returns a line's heights above and below the baseline, in em: the face's, or more if a character is taller. */
export function heightsOf(
  face: Face,
  text: string,
  { top, bottom } = reachOf(face, text),
): { ascent: number; descent: number } {
  const { ascent, descent } = typefaceOf(face);
  return { ascent: Math.max(ascent, top), descent: Math.max(descent, bottom) };
}

/** Returns the advance of a character, in em. */
export const advanceOf = (face: Face, character: string): number =>
  characterOf(face, character.codePointAt(0) ?? 0).advance;

/** Returns the width of text on one line, in em, with `spacing` after each letter. */
export function widthOf(face: Face, text: string, spacing = 0): number {
  let width = 0;
  eachCharacter(face, text, ({ advance }) => {
    if (advance > 0) width += advance + spacing;
  });
  return width;
}

/** Returns the characters of a text that the face lacks. Each is drawn as a box. */
export const missingIn = (face: Face, text: string): string[] =>
  charactersIn(text, (code) => characterOf(face, code).isMissing);

/** Returns the characters of a text that a tenant's font lacks and a typeface of Shelfwire draws. */
export const replacedIn = (face: Face, text: string): string[] =>
  charactersIn(text, (code) => characterOf(face, code).isReplaced);

function charactersIn(text: string, isOne: (code: number) => boolean): string[] {
  const found = new Set<number>();
  eachCode(text, (code) => {
    if (isOne(code)) found.add(code);
  });
  return Array.from(found, (code) => String.fromCodePoint(code));
}
