import type { Framebuffer } from "../../../../drawing/pixels/framebuffer.ts";
import { advanceOf, type Face } from "../../../../drawing/text/fonts.ts";
import { type Glyph, inkOf } from "../../../../drawing/text/glyphs.ts";

/** The characters read from a picture, each with its pen position. */
interface Read {
  character: string;
  size: number;
  x: number;
  baseline: number;
}

/**
 * Reads a price that is the only content of a picture: finds glyphs that explain all of its ink, pixel by pixel. The
 * reader knows the typeface and the possible sizes, but not how a price is laid out. Returns undefined if ink is left
 * over.
 */
export function readPrice(
  { width, height, pixels }: Framebuffer,
  face: Face,
  sizes: readonly number[],
): Read[] | undefined {
  const ink = { width, height, pixels: pixels.slice() };
  const glyphs = [...new Set(sizes)].flatMap((size) =>
    Array.from(CHARACTERS, (character) => ({
      character,
      size,
      glyph: inkOf(face, size)(character.codePointAt(0) ?? 0),
    })),
  );
  const read: Read[] = [];
  for (let start = leftmost(ink, 0); start !== undefined; start = leftmost(ink, start.x)) {
    const point = start;
    const fitting = glyphs
      .map((one) => ({ ...one, ...positionAt(one.glyph, point) }))
      .filter(({ glyph, x, baseline }) => isThere(ink, glyph, x, baseline))
      // Many digits contain a comma's pixels, so the glyph that covers the most pixels is chosen.
      .toSorted((one, other) => areaOf(other.glyph) - areaOf(one.glyph));
    const [found] = fitting;
    if (found === undefined) return undefined;
    fill(ink, found.glyph, found.x, found.baseline);
    read.push({ character: found.character, size: found.size, x: found.x, baseline: found.baseline });
  }
  return read.toSorted((one, other) => one.x - other.x);
}

/** Reads a price of unknown size: returns the first reading whose characters are spaced like text. */
export const readAtAny = (picture: Framebuffer, face: Face, sizes: readonly number[][]): Read[] | undefined =>
  sizes
    .values()
    .map((pair) => readPrice(picture, face, pair))
    .find((read) => read !== undefined && isText(read, face));

/** Dots could explain any pixels; in a price they are between digits, each at the end of the previous digit. */
function isText(read: readonly Read[], face: Face): boolean {
  // The size does not count, since two small sizes of a digit may produce identical pixels.
  const groups = [...Map.groupBy(read, ({ baseline }) => baseline).values()];
  return groups.length <= 2 && groups.every((group) => isDigit(group.at(0)) && isSpaced(group, face));
}

const isDigit = (one: Read | undefined): boolean => /\d/.test(one?.character ?? "");

const isSpaced = (group: readonly Read[], face: Face): boolean =>
  group.slice(1).every(({ x }, index) => {
    const { character, size, x: before } = group[index] as Read;
    return Math.abs(x - before - advanceOf(face, character) * size) <= 2;
  });

const CHARACTERS = "0123456789,.";

type Picture = Pick<Framebuffer, "width" | "height" | "pixels">;
interface Point {
  x: number;
  y: number;
}

/** Returns the topmost pixel of the first column that has one, starting at column `from`. */
function leftmost({ width, height, pixels }: Picture, from: number): Point | undefined {
  for (let x = from; x < width; x += 1) {
    for (let y = 0; y < height; y += 1) if (pixels[y * width + x] !== 0) return { x, y };
  }
  return undefined;
}

/** Returns the pen position that puts the topmost pixel of a glyph's first column at the given point. */
function positionAt({ runs, left }: Glyph, { x, y }: Point): { x: number; baseline: number } {
  for (let at = 0; at < runs.length; at += 3) {
    if (runs[at + 1] === left) return { x: x - left, baseline: y - (runs[at] ?? 0) };
  }
  return { x, baseline: y };
}

function isThere({ width, height, pixels }: Picture, { runs, right }: Glyph, x: number, baseline: number): boolean {
  if (x + right > width) return false;
  for (let at = 0; at < runs.length; at += 3) {
    const y = baseline + (runs[at] ?? 0);
    if (y < 0 || y >= height) return false;
    const [from, to] = [y * width + x + (runs[at + 1] ?? 0), y * width + x + (runs[at + 2] ?? 0)];
    for (let pixel = from; pixel < to; pixel += 1) if (pixels[pixel] === 0) return false;
  }
  return runs.length > 0;
}

function fill({ width, pixels }: Picture, { runs }: Glyph, x: number, baseline: number): void {
  for (let at = 0; at < runs.length; at += 3) {
    const start = (baseline + (runs[at] ?? 0)) * width + x;
    pixels.fill(0, start + (runs[at + 1] ?? 0), start + (runs[at + 2] ?? 0));
  }
}

function areaOf({ runs }: Glyph): number {
  let area = 0;
  for (let at = 0; at < runs.length; at += 3) area += (runs[at + 2] ?? 0) - (runs[at + 1] ?? 0);
  return area;
}

/** The digits of a price in reading order: first those on the baseline, then the raised ones. */
export function digitsOf(read: readonly Read[]): { integer: string; decimals: string } {
  const digits = read.filter(({ character }) => /\d/.test(character));
  const baseline = Math.max(...digits.map((one) => one.baseline));
  const isInteger = (one: Read) => one.baseline === baseline;
  return { integer: join(digits.filter(isInteger)), decimals: join(digits.filter((one) => !isInteger(one))) };
}

const join = (read: readonly Read[]): string => read.map(({ character }) => character).join("");
