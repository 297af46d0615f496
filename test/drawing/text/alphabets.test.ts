import { mkdir, writeFile } from "node:fs/promises";
import test from "ava";
import { enlarge } from "../../../drawing/pixels/enlarge.ts";
import { createFramebuffer } from "../../../drawing/pixels/framebuffer.ts";
import { encodePng } from "../../../drawing/pixels/png.ts";
import { drawCharacters, eachStamp, newInk } from "../../../drawing/text/draw-characters.ts";
import { type Face, readableSize } from "../../../drawing/text/fonts.ts";
import { inkOf } from "../../../drawing/text/glyphs.ts";
import { typefaces } from "../../../schemas/canvas-parts.ts";
import { casesToTry } from "../../harness/searches/effort.ts";
import { alphabets, signs } from "./alphabets.ts";
import { alike, pixelsOf } from "./identity.ts";

const faces: Face[] = [...typefaces];
const SMALLEST = 8;
const LARGEST = 40;
/** Every size of small print, in which single pixels distinguish letters, and a few larger sizes. */
const sizes = [...Array.from({ length: 9 }, (_, index) => SMALLEST + index), 20, 28, LARGEST];
/** How many sizes of each face are tried; the sizes of the smallest print are always among them. */
const SIZES = { size: 6, always: (size: number) => size <= SMALLEST + 1 };
const folder = new URL("../../../.test/alphabets/", import.meta.url);

const languages = Object.values(alphabets).map((letters) => new Set([...letters, ...signs]));
const characters = [...new Set(languages.flatMap((letters) => [...letters]))];

/** Letters that look alike in the faces themselves: I and l, and I and its Greek and Cyrillic counterparts. */
const design = (character: string): string => character.normalize("NFD").replace(/^[IlΙІ]/, "I");

for (const face of faces) {
  test(`${face}: no two characters of a language look alike at the sizes from ${SMALLEST} to ${LARGEST} at which they are drawn`, (t) => {
    for (const size of casesToTry(t, sizes, SIZES, "sizes")) {
      const glyphOf = inkOf(face, size);
      const readable = characters.filter((character) => readableSize(face, character) <= size);
      const glyphs = readable.map((character) => pixelsOf(character, glyphOf(character.codePointAt(0) ?? 0)));
      const pairs = alike(glyphs)
        .map(([one, other]): [string, string] => [one.character, other.character])
        .filter((pair) => languages.some((letters) => pair.every((character) => letters.has(character))))
        .filter(([one, other]) => design(one) !== design(other));
      t.deepEqual(pairs, [], `at ${size} pixels`);
    }
  });

  test(`${face}: a comma has a tail below its dot, at each size`, (t) => {
    for (const size of sizes) {
      const glyphOf = inkOf(face, size);
      for (const [point, comma] of [
        [".", ","],
        [":", ";"],
      ] as const) {
        const [above, below] = [glyphOf(point.charCodeAt(0)), glyphOf(comma.charCodeAt(0))];
        t.true(below.bottom >= above.bottom + 1, `${comma} at ${size}`);
      }
    }
  });
}

/** The pixels of each character of a string, as "x y". */
function stampsOf(face: Face, size: number, text: string): Set<string>[] {
  const stamps: Set<string>[] = [];
  eachStamp({ face, size, text, left: 0, baseline: 0 }, ({ runs }, left) => {
    const pixels = new Set<string>();
    for (let at = 0; at < runs.length; at += 3) {
      const [y = 0, from = 0, to = 0] = runs.subarray(at, at + 3);
      for (let x = from; x < to; x += 1) pixels.add(`${x + left} ${y}`);
    }
    stamps.push(pixels);
  });
  return stamps;
}

function areBeside([one = new Set(), other = new Set()]: readonly Set<string>[]): boolean {
  return [...one].some((pixel) => {
    const [x = 0, y = 0] = pixel.split(" ").map(Number);
    const beside = [
      [0, 0],
      [-1, 0],
      [1, 0],
      [0, -1],
      [0, 1],
    ];
    return beside.some(([along = 0, down = 0]) => other.has(`${x + along} ${y + down}`));
  });
}

for (const face of faces) {
  test(`${face}: the caron of ď, ľ and ť is not mistaken for part of the next letter`, (t) => {
    const followers = [...(alphabets.cs ?? []), ...(alphabets.sk ?? [])].filter((letter) => /\p{Ll}/u.test(letter));
    for (const letter of ["ď", "ľ", "ť"]) {
      for (const size of casesToTry(
        t,
        sizes.filter((size) => size >= (face === "narrow" ? 14 : 10)),
        { size: 4 },
        `sizes of ${letter}`,
      )) {
        // The acute of an í is wider than its stem, and meets the mark in the smallest print.
        const nexts = size < 12 ? followers.filter((next) => next !== "í") : followers;
        const touching = nexts.filter((next) => areBeside(stampsOf(face, size, letter + next)));
        t.deepEqual(touching, [], `${letter} at ${size}`);
      }
    }
  });
}

/** The sizes in the contact sheets: small print, and one size at which outlines are drawn. */
const shown = [8, 10, 12, 14, 16, 20];
const SCALE = 2;

test("a contact sheet of each language shows its letters in every face, from the size at which they are readable", async (t) => {
  for (const [language, letters] of casesToTry(t, Object.entries(alphabets), { size: 5 }, "languages")) {
    const text = `${letters.join("")} 1.234,56 € 1,49 1.49`;
    const lines = faces.flatMap((face) =>
      shown.filter((size) => size >= readableSize(face, text)).map((size) => ({ face, size })),
    );
    const height = lines.reduce((sum, { size }) => sum + Math.ceil(size * 1.5), 0);
    const sheet = createFramebuffer(Math.ceil(text.length * 22 * 0.75), height, ["white", "black"], 0);
    let top = 0;
    for (const { face, size } of lines) {
      const ink = newInk();
      drawCharacters(sheet, { face, size, text, left: 2, baseline: top + Math.round(size * 1.15) }, 1, ink);
      t.true(ink.drawn > 0);
      top += Math.ceil(size * 1.5);
    }
    await mkdir(folder, { recursive: true });
    await writeFile(new URL(`${language}.png`, folder), encodePng(enlarge(sheet, SCALE)));
  }
});
