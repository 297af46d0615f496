import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import test from "ava";
import { coverageOf } from "../../../drawing/text/coverage.ts";

const require = createRequire(import.meta.url);
const dejavu = coverageOf(readFileSync(require.resolve("dejavu-fonts-ttf/ttf/DejaVuSans.ttf")));

/** A font file with one table: a character map with one subtable. */
function fontWith(subtable: Buffer): Buffer {
  const map = Buffer.alloc(12);
  map.writeUInt16BE(1, 2);
  map.writeUInt32BE(12, 8);
  const head = Buffer.alloc(28);
  head.writeUInt16BE(1, 4);
  head.write("cmap", 12, "latin1");
  head.writeUInt32BE(28, 20);
  return Buffer.concat([head, map, subtable]);
}

const words = (...values: number[]): Buffer => {
  const buffer = Buffer.alloc(values.length * 2);
  for (const [index, value] of values.entries()) buffer.writeUInt16BE(value & 0xffff, index * 2);
  return buffer;
};

test("segments: a glyph is the code point plus a delta, or listed; glyph 0 means none", (t) => {
  // Three segments: 65-67 by a delta, 97-99 by a list whose middle entry is empty, and the final segment of every map.
  const segments = words(4, 48, 0, 6, 0, 0, 0, 67, 99, 0xffff, 0, 65, 97, 0xffff, -65, 5, 1, 0, 4, 0, 7, 0, 9);
  t.deepEqual([...coverageOf(fontWith(segments))], [66, 67, 97, 99]);
});

test("groups: code points beyond 16 bits", (t) => {
  const groups = words(12, 0, 0, 28, 0, 0, 0, 2, 0, 65, 0, 66, 0, 0, 1, 0xf600, 1, 0xf602, 0, 7);
  t.deepEqual([...coverageOf(fontWith(groups))], [66, 0x1f600, 0x1f601, 0x1f602]);
});

test("a file without a character map is not a font", (t) => {
  t.throws(() => coverageOf(Buffer.alloc(64)), { instanceOf: TypeError, message: /cmap/ });
});

test("a real font: its characters and its missing ones", (t) => {
  for (const character of "AčŽ€ЖΩ😀") t.true(dejavu.has(character.codePointAt(0) ?? 0), character);
  for (const character of "漢ก₾\u{10fffd}") t.false(dejavu.has(character.codePointAt(0) ?? 0), character);
});
