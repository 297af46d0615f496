import test from "ava";
import { FileFault } from "../../../api/body/refuse-file.ts";
import { checkFont } from "../../../api/fonts/check-font.ts";
import { findManyParts } from "../../../api/fonts/glyph-parts.ts";
import { boldSerif, changed } from "./files.ts";

const LIMIT = 100;
const HEAD_BYTES = 54;

/** Returns the data of a glyph that is composed of others, each positioned by one byte for each coordinate (OpenType, `glyf`). */
function composed(parts: readonly number[], more = 0x20): Buffer {
  const data = Buffer.alloc(10 + 6 * parts.length);
  data.writeInt16BE(-1, 0);
  for (const [index, part] of parts.entries()) {
    data.writeUInt16BE(index < parts.length - 1 ? more | 0x02 : 0x02, 10 + 6 * index);
    data.writeUInt16BE(part, 12 + 6 * index);
  }
  return data;
}

/** Searches a font whose glyphs are composed of these parts; a glyph without parts has an outline. */
function findParts(glyphs: readonly (readonly number[])[], data = glyphs.map((parts) => composed(parts))) {
  const outlines = data.map((one, index) => (glyphs[index]?.length === 0 ? Buffer.alloc(12) : one));
  const places = Buffer.alloc(4 * (glyphs.length + 1));
  let end = 0;
  for (const [index, { length }] of outlines.entries()) {
    end += length;
    places.writeUInt32BE(end, 4 * (index + 1));
  }
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeInt16BE(1, 50);
  const tables = new Map([
    ["head", head],
    ["loca", places],
    ["glyf", Buffer.concat(outlines)],
  ]);
  return findManyParts(tables, glyphs.length, LIMIT);
}

/** Returns a chain of glyphs: each is composed of the next one, repeated this many times, and the last has an outline. */
const chain = (length: number, times: number) =>
  Array.from({ length }, (_, glyph) => Array<number>(glyph < length - 1 ? times : 0).fill(glyph + 1));

test("the number of parts in a glyph is limited, including nested parts", (t) => {
  t.is(findParts([Array(LIMIT).fill(1), []]), undefined);
  t.deepEqual(findParts([[], Array(LIMIT + 1).fill(0)]), { glyph: 1, parts: LIMIT + 1 });
  t.is(findParts(chain(LIMIT + 1, 1)), undefined);
  t.deepEqual(findParts(chain(LIMIT + 2, 1)), { glyph: 0, parts: LIMIT + 1 });
});

test("parts that double from glyph to glyph are counted without following every copy", (t) => {
  t.is(findParts(chain(6, 2)), undefined, "62 parts");
  t.is(findParts(chain(60, 2))?.glyph, 0);
});

test("a chain longer than any glyph allows is not followed to its end", (t) => {
  t.is(findParts(chain(20_000, 1))?.glyph, 0);
  const backwards = Array.from({ length: 20_000 }, (_, glyph) => (glyph > 0 ? [glyph - 1] : []));
  t.deepEqual(findParts(backwards), { glyph: LIMIT + 1, parts: LIMIT + 1 });
});

test("parts are counted after two-byte positions and every form of scale", (t) => {
  const forms: [flags: number, bytes: number][] = [
    [0x01, 4],
    [0x08, 4],
    [0x40, 6],
    [0x80, 10],
    [0x81, 12],
  ];
  for (const [form, bytes] of forms) {
    const part = Buffer.alloc(4 + bytes);
    part.writeUInt16BE(0x20 | form, 0);
    const data = Buffer.concat([composed([]).subarray(0, 10), ...Array<Buffer>(LIMIT).fill(part), Buffer.alloc(6)]);
    t.deepEqual(findParts([[], [0]], [Buffer.alloc(12), data]), { glyph: 1, parts: LIMIT + 1 }, `flags ${form}`);
  }
});

test("a part that is not a glyph of the font counts and is not followed", (t) => {
  t.is(findParts([[65_535]]), undefined);
});

test("a truncated glyph counts the parts that are present", (t) => {
  t.is(findParts([[0], [1]], [composed([]).subarray(0, 10), composed([0]).subarray(0, 11)]), undefined);
});

for (const [what, glyphs] of [
  ["itself", [[0]]],
  ["itself, ten times", [Array(10).fill(0)]],
  ["a glyph composed of it", [[1], [0]]],
] as const)
  test(`a glyph that is composed of ${what} counts as infinitely many parts`, (t) => {
    t.deepEqual(findParts(glyphs), { glyph: 0, parts: Infinity });
  });

test("a font with a glyph that contains itself is refused, and the error names the glyph", (t) => {
  const itself = changed(boldSerif, "glyf", (file, at) => {
    const place = at + file.readUInt32BE(file.readUInt32BE(file.indexOf("loca", 12, "latin1") + 8) + 4 * 40);
    composed([40]).copy(file, place);
  });
  t.throws(() => checkFont(itself), { instanceOf: FileFault, message: "is damaged: its glyph 40 contains itself" });
});
