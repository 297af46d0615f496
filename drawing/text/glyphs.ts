import { createCanvas } from "@napi-rs/canvas";
import { LRUCache } from "lru-cache";
import { composeLetter, type Letters } from "../glyphs/compose-letter.ts";
import { evenGlyph, type Strokes, strokesOf } from "../glyphs/even-glyph.ts";
import { FINE, type Mask } from "../glyphs/fine-mask.ts";
import { lettersWithParts } from "../glyphs/letter-parts.ts";
import { type Glyph, glyphOfRuns } from "../glyphs/pixels.ts";
import { drawnSigns } from "../glyphs/signs.ts";
import { pictureOf } from "../shaping/unit-pictures.ts";
import { type CodeTable, createCodeTable, getCode, setCode } from "./code-point-table.ts";
import { characterOf, type Face, heightsOf, isBoldFace, missingBox } from "./fonts.ts";
import {
  HALF,
  INK,
  LARGE,
  PHASES,
  type Position,
  REFERENCE,
  runsOf,
  shapeOf,
  sharpest,
  usualInk,
} from "./glyph-shape.ts";
import { glyphIn, type PinnedSource, type Source } from "./sources.ts";

const MAX_FACE_SIZES = 300;
/** At this size and above, the outlines of all characters are distinct. */
const OUTLINES = 20;
/**
 * Below OUTLINES, letters and digits have even strokes from the size at which they remain distinct. Letters such as σ and є, with
 * their short strokes, need more room, and letters such as Ł and Ơ never have enough: like signs, they keep their own stroke
 * widths.
 */
const EVEN = [
  { from: 12, of: /^[A-Za-z0-9ı]$/ },
  { from: 13, of: /^(?![ƠơƯưĐđĦħŁłŦŧ])[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]$/u },
];
/** The size in cells at which a typeface's strokes are measured. */
const MEASURED_AT = 400;
/** At this size and above, a glyph keeps its shape at any threshold. */
const HUGE = 128;

/** Glyphs by face and size, then by code point. */
const glyphs = new LRUCache<string, CodeTable<Glyph>>({ max: MAX_FACE_SIZES });
/** Parts and holes of each glyph at the reference size, by family and character. */
const shapes = new Map<string, string>();
/** Stroke dimensions of each typeface, by family. */
const strokes = new Map<string, Strokes>();
/** Characters that are drawn by hand at sizes below OUTLINES. */
const byHand = new Map([...drawnSigns, ...lettersWithParts]);
const nothing = glyphOfRuns(new Int16Array(), 0);
const scratch = createCanvas(128, 128);
scratch.getContext("2d").lang = "en";

/** Returns the glyphs of a face at a size, by code point. Each is drawn once and cached. */
export function inkOf(face: Face, size: number): (code: number) => Glyph {
  const key = `${face}/${size}`;
  const known = glyphs.get(key);
  const cache = known ?? createCodeTable<Glyph>();
  if (known === undefined) glyphs.set(key, cache);
  return (code) => getCode(cache, code) ?? makeGlyph(face, size, code, cache);
}

/**
 * Letters whose arms are less than a hundredth of an em away from their stem in the outlines of the narrow face. The gap
 * would be a whole pixel, as wide as between two letters, so at small sizes the arms touch the stem.
 */
const TOUCHING: Readonly<Record<string, { apart: string; together: string }>> = {
  ...Object.fromEntries([..."KkĸΚκ"].map((letter) => [letter, { apart: "2/0", together: "1/0" }])),
  ...Object.fromEntries([..."Ķķ"].map((letter) => [letter, { apart: "3/0", together: "2/0" }])),
};

function makeGlyph(face: Face, size: number, code: number, cache: CodeTable<Glyph>): Glyph {
  const { source, isMissing } = characterOf(face, code);
  // Only characters that the face has are cached: callers may send any others, and the cache must stay bounded.
  if (source === undefined) return isMissing ? boxOf(size) : nothing;
  const character = String.fromCodePoint(code);
  const handmade = size < OUTLINES ? drawByHand(face, size, character) : undefined;
  // Tenants' fonts have any number of glyphs. The cache of their pictures has its own limit.
  if (handmade === undefined && "font" in source) return drawGlyph(source, face, size, character);
  const glyph = handmade ?? drawGlyph(source, face, size, character);
  setCode(cache, code, glyph);
  return glyph;
}

/**
 * Returns the glyph of a character that is composed or drawn by hand at small sizes, because several outlines would look
 * alike.
 */
function drawByHand(face: Face, size: number, character: string): Glyph | undefined {
  const letters: Letters = {
    size,
    isBold: isBoldFace(face),
    glyphOf: (letter, own) =>
      letter === character ? outlineOf(face, own, letter) : inkOf(face, own)(letter.codePointAt(0) ?? 0),
    roomOf(of) {
      const { ascent, descent } = heightsOf(face, of);
      return { above: Math.round(ascent * size), below: Math.round(descent * size) };
    },
  };
  return byHand.get(character)?.(letters) ?? composeLetter(character, letters);
}

function outlineOf(face: Face, size: number, letter: string): Glyph {
  const { source } = characterOf(face, letter.codePointAt(0) ?? 0);
  return source === undefined ? nothing : drawGlyph(source, face, size, letter);
}

function drawGlyph(source: Source, face: Face, size: number, character: string): Glyph {
  if ("font" in source) return pictureOf(unitOf(glyphIn(source, character)), source.font, size);
  const even = isEven(size, character) ? evenOf(source, size, character) : undefined;
  if (even) return glyphOfRuns(runsOf(even.position.coverage, even.from), even.position.shift);
  const usual = usualInk(size, isBoldFace(face));
  const shifts = size < LARGE ? PHASES : [0];
  const positions = positionsOf(source, size, character, shifts);
  if (size >= HUGE) return glyphOfRuns(runsOf((positions[0] as Position).coverage, INK), 0);
  const { position, from } = sharpest(positions, shapeAt(size, source, character), usual);
  return glyphOfRuns(runsOf(position.coverage, from), position.shift);
}

const isEven = (size: number, character: string): boolean =>
  size < OUTLINES && EVEN.some(({ from, of }) => size >= from && of.test(character));

function evenOf(source: PinnedSource, size: number, character: string): ReturnType<typeof evenGlyph> {
  const known = strokes.get(source.family) ?? strokesOf((letter) => maskOf(source, MEASURED_AT, letter), MEASURED_AT);
  strokes.set(source.family, known);
  return evenGlyph(maskOf(source, size * FINE, character), known, size, shapeAt(size, source, character));
}

/** Returns a unit with a single glyph. */
const unitOf = (id: number) => ({ glyphs: [{ id, x: 0, y: 0 }], advance: 0 });

/** Returns the parts and holes that a character must have at a size. */
function shapeAt(size: number, source: PinnedSource, character: string): string {
  const shape = referenceShape(source, character);
  const touching = size < LARGE ? TOUCHING[character] : undefined;
  return touching?.apart === shape ? touching.together : shape;
}

function referenceShape(source: PinnedSource, character: string): string {
  const key = `${source.family}/${character}`;
  const shape =
    shapes.get(key) ?? shapeOf((positionsOf(source, REFERENCE, character, [0])[0] as Position).coverage, HALF);
  shapes.set(key, shape);
  return shape;
}

/** Draws a glyph at pen positions between two pixels, side by side, and returns the coverage of its pixels at each. */
function positionsOf(source: PinnedSource, size: number, character: string, shifts: readonly number[]): Position[] {
  const { width, height, left, top, alpha } = paint(source, size, character, shifts);
  const all = width * shifts.length;
  return shifts.map((shift, index) => {
    const values = new Uint8Array(width * height);
    for (let pixel = 0; pixel < values.length; pixel += 1) {
      const [x, y] = [pixel % width, Math.floor(pixel / width)];
      values[pixel] = alpha(y * all + index * width + x);
    }
    return { shift, coverage: { width, height, originX: left, originY: top, values } };
  });
}

/** Returns a glyph in cells, `size` of them to the em, with a margin for wider strokes. */
function maskOf(source: PinnedSource, size: number, character: string): Mask {
  const { width, height, left, top, alpha } = paint(source, size, character, [0], FINE);
  const ink = Uint8Array.from({ length: width * height }, (_, cell) => (alpha(cell) >= HALF ? 1 : 0));
  return { width, height, originX: left, originY: top, ink };
}

/**
 * Draws a glyph once per shift, side by side, each in an area of the returned width and height, with its pen at (left + shift,
 * top).
 */
function paint(
  { family, stretch }: PinnedSource,
  size: number,
  character: string,
  shifts: readonly number[],
  margin = 2,
) {
  const context = scratch.getContext("2d", { willReadFrequently: true });
  context.resetTransform();
  context.font = `${size}px "${family}"`;
  const { actualBoundingBoxLeft, actualBoundingBoxRight, actualBoundingBoxAscent, actualBoundingBoxDescent } =
    context.measureText(character);
  const [left, top] = [Math.ceil(actualBoundingBoxLeft) + margin, Math.ceil(actualBoundingBoxAscent) + margin];
  const width = Math.max(1, left + Math.ceil(actualBoundingBoxRight) + margin);
  const height = Math.max(1, top + Math.ceil(actualBoundingBoxDescent) + margin);
  const all = width * shifts.length;
  if (all > scratch.width || height > scratch.height) {
    scratch.width = Math.max(scratch.width, all);
    scratch.height = Math.max(scratch.height, height);
    // Resizing a canvas resets its settings, so they are set again.
    context.lang = "en";
    context.font = `${size}px "${family}"`;
  }
  context.clearRect(0, 0, all, height);
  for (const [index, shift] of shifts.entries()) {
    context.setTransform(stretch, 0, 0, 1, index * width + left + shift, top);
    context.fillText(character, 0, 0);
  }
  const { data } = context.getImageData(0, 0, all, height);
  return { width, height, left, top, alpha: (pixel: number) => data[pixel * 4 + 3] as number };
}

/** Returns an empty box, for a character that no source has. */
function boxOf(size: number): Glyph {
  const stroke = Math.max(1, Math.round(size / 14));
  const left = Math.round(missingBox.left * size);
  const right = left + Math.max(3, Math.round(missingBox.width * size));
  const height = Math.max(3, Math.round(missingBox.height * size));
  const runs: number[] = [];
  for (let y = -height; y < 0; y += 1) {
    if (y < stroke - height || y >= -stroke) runs.push(y, left, right);
    else runs.push(y, left, left + stroke, y, right - stroke, right);
  }
  return glyphOfRuns(Int16Array.from(runs), 0);
}

export type { Glyph };
