import { pictureOf } from "../shaping/unit-pictures.ts";
import { HALF, LARGE, REFERENCE, shapeOf } from "../text/glyph-shape.ts";
import { glyphIn, type OwnSource } from "../text/sources.ts";
import type { Glyph } from "./pixels.ts";
import { PLAIN } from "./readable.ts";

const DIGITS = [..."0123456789"];
/** The lowercase l is left out, because many faces draw it like the capital I. */
const LETTERS = [...DIGITS, ..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"];
/** Size, in pixels, at which the letters of all common fonts can be told apart. */
const LARGEST = 40;

/**
 * Returns the smallest size, in pixels, at which a font's plain letters can be told apart. At this size and above, any two
 * letters differ in at least two pixels, or in a part or a hole, unless the font draws them alike at every size. Each digit
 * keeps its parts and holes, without which it could be misread as a different digit.
 */
export function smallestReadable(source: OwnSource): number {
  const letters = LETTERS.filter((letter) => source.has.has(letter.charCodeAt(0)));
  const formOf = (letter: string, size: number): Form =>
    formOfGlyph(pictureOf({ glyphs: [{ id: glyphIn(source, letter), x: 0, y: 0 }], advance: 0 }, source.font, size));
  const reference = new Map(letters.map((letter) => [letter, formOf(letter, REFERENCE)]));
  const isReadable = (size: number): boolean => {
    const forms = letters.map((letter) => ({ ...formOf(letter, size), letter, whole: reference.get(letter) as Form }));
    return forms.every((form, index) => {
      // At larger sizes, a stroke is so wide that no digit loses a part or a hole.
      if (size < LARGE && DIGITS.includes(form.letter) && form.shape !== form.whole.shape) return false;
      return forms.slice(0, index).every((other) => !areAlike(other, form) || areAlike(other.whole, form.whole));
    });
  };
  let size = LARGEST + 1;
  while (size > PLAIN && isReadable(size - 1)) size -= 1;
  return size;
}

/** The pixels of a glyph, independent of its place on the line, with its parts and holes. */
interface Form {
  pixels: ReadonlySet<number>;
  shape: string;
}

const formOfGlyph = (glyph: Glyph): Form => ({ pixels: pixelsOf(glyph), shape: shapeOfGlyph(glyph) });

function areAlike(one: Form, other: Form): boolean {
  if (one.shape !== other.shape || Math.abs(one.pixels.size - other.pixels.size) >= LEAST_DIFFERENCE) return false;
  return one.pixels.symmetricDifference(other.pixels).size < LEAST_DIFFERENCE;
}

/** Numbers reserved for each row: more than any examined glyph has columns. */
const STRIDE = 4096;
const LEAST_DIFFERENCE = 2;

function pixelsOf({ runs, left }: Glyph): ReadonlySet<number> {
  const pixels = new Set<number>();
  for (let at = 0; at < runs.length; at += 3) {
    const [y = 0, from = 0, to = 0] = runs.subarray(at, at + 3);
    for (let x = from; x < to; x += 1) pixels.add(y * STRIDE + x - left);
  }
  return pixels;
}

function shapeOfGlyph({ runs, left, right, top, bottom }: Glyph): string {
  // Paper surrounds the glyph, so that a bay is not counted as a hole.
  const [width, height] = [right - left + 2, bottom - top + 2];
  const values = new Uint8Array(width * height);
  for (let at = 0; at < runs.length; at += 3) {
    const [y = 0, from = 0, to = 0] = runs.subarray(at, at + 3);
    const row = (y - top + 1) * width + 1 - left;
    values.fill(255, row + from, row + to);
  }
  return shapeOf({ width, height, originX: 1 - left, originY: 1 - top, values }, HALF);
}
