import { GlobalFonts } from "@napi-rs/canvas";
import test from "ava";
import fc from "fast-check";
import { advanceOf, type Face, heightsOf } from "../../../drawing/text/fonts.ts";
import * as glyphs from "../../../drawing/text/glyphs.ts";

const faces: Face[] = ["regular", "bold", "condensed", "condensed-bold"];
const anyFace = fc.constantFrom(...faces);
const size = fc.integer({ min: 12, max: 120 });
const character = fc.constantFrom(..."0123456789abcčćžšđABC€,.");
const NOBODYS = "\u{10fffd}";

const inkOf = (of: Face, at: number) => (text: string) => glyphs.inkOf(of, at)(text.codePointAt(0) ?? 0);

/** The pixels of a glyph, in rows. */
function rowsOf(of: Face, at: number, text: string): string[] {
  const { runs, left, top, right, bottom } = inkOf(of, at)(text);
  const rows = Array.from({ length: bottom - top }, () => Array<string>(right - left).fill("."));
  for (let index = 0; index < runs.length; index += 3) {
    const [y = 0, from = 0, to = 0] = runs.subarray(index, index + 3);
    rows[y - top]?.fill("#", from - left, to - left);
  }
  return rows.map((row) => row.join(""));
}

test("a glyph's box is the box of its ink", (t) => {
  fc.assert(
    fc.property(anyFace, size, character, (of, at, text) => {
      const rows = rowsOf(of, at, text);
      t.true(rows.at(0)?.includes("#") && rows.at(-1)?.includes("#"));
      t.true(rows.some((row) => row.startsWith("#")) && rows.some((row) => row.endsWith("#")));
    }),
  );
});

test("from 12 pixels every character of a price has ink near the pen", (t) => {
  fc.assert(
    fc.property(anyFace, size, character, (of, at, text) => {
      const { left, right, top, bottom } = inkOf(of, at)(text);
      const { ascent, descent } = heightsOf(of, text);
      t.true(right > left);
      t.true(left >= -1 - at / 10 && right <= advanceOf(of, text) * at + 1 + at / 10);
      t.true(top >= -Math.ceil(ascent * at) && bottom < Math.ceil(descent * at));
    }),
  );
});

const EVEN_SIZES = Array.from({ length: 8 }, (_, index) => 12 + index);

for (const face of ["regular", "bold"]) {
  test(`below 20 pixels all vertical strokes of a size have the same width: ${face}`, (t) => {
    for (const at of EVEN_SIZES) {
      // Between their ends these letters have only vertical strokes.
      const widths = [..."HlhnuIU"].flatMap((text) => {
        const rows = rowsOf(face, at, text);
        const row = rows[Math.floor(rows.length * (/[hn]/.test(text) ? 0.7 : 0.2))] ?? "";
        return row.match(/#+/g)?.map(({ length }) => length) ?? [];
      });
      t.is(new Set(widths).size, 1, `${at} pixels: ${widths.join()}`);
    }
  });

  test(`below 20 pixels letters with a symmetric outline, round or straight, have equal halves: ${face}`, (t) => {
    for (const at of EVEN_SIZES)
      for (const text of "oO08HTIU") {
        const rows = rowsOf(face, at, text);
        const mirrored = rows.map((row) => [...row].toReversed().join(""));
        t.deepEqual(rows, mirrored, `${text} at ${at} pixels`);
      }
  });
}

test("a character's ink grows with its size", (t) => {
  fc.assert(
    fc.property(anyFace, fc.integer({ min: 16, max: 60 }), character, (of, at, text) => {
      const [small, large] = [inkOf(of, at)(text), inkOf(of, at * 2)(text)];
      // Below 20 pixels strokes are whole pixels wide, so doubling the size does not double their width exactly.
      const rounding = EVEN_SIZES.includes(at) ? 4 : 3;
      t.true(Math.abs(large.right - large.left - 2 * (small.right - small.left)) <= rounding);
    }),
  );
});

test("spaces and invisible characters have no ink", (t) => {
  for (const text of " \u00a0\u200b\u00ad") t.is(inkOf("regular", 20)(text).runs.length, 0);
});

test("every character of a price has ink, however small", (t) => {
  for (const of of faces)
    for (let at = 8; at <= 40; at += 1)
      for (const text of "0123456789.,€$-") t.true(inkOf(of, at)(text).runs.length > 0, `${text} ${of} ${at}`);
});

/** The number of holes in each digit, which distinguishes an 8 from a 3 and a 0. */
const holes: Readonly<Record<string, number>> = { 0: 1, 4: 1, 6: 1, 8: 2, 9: 1 };

/** Every size of small print, and some of the sizes with wide strokes. */
const sizes = [...Array.from({ length: 33 }, (_, index) => 8 + index), 48, 64, 96, 127, 128, 140];

for (const of of faces) {
  test(`${of}: from 8 pixels every digit is in one part and keeps its holes`, (t) => {
    for (const at of sizes) {
      for (const digit of "0123456789") {
        t.deepEqual(shapeOf(rowsOf(of, at, digit)), { parts: 1, holes: holes[digit] ?? 0 }, `${digit} at ${at}`);
      }
    }
  });

  test(`${of}: from 8 pixels no two digits look alike`, (t) => {
    for (let at = 8; at <= 60; at += 1) {
      t.is(new Set(Array.from("0123456789", (digit) => rowsOf(of, at, digit).join("\n"))).size, 10, `at ${at}`);
    }
  });
}

/** Counts the separate parts of the ink (pixels that touch at a corner belong to one part) and the holes in it. */
function shapeOf(rows: readonly string[]): { parts: number; holes: number } {
  const framed = [..."."].concat(rows, ".").map((row) => `.${row.padEnd(rows[0]?.length ?? 0, ".")}.`);
  const cells = framed.map((row) => [...row]);
  const fill = (y: number, x: number, kind: string): void => {
    if (cells[y]?.[x] !== kind) return;
    (cells[y] as string[])[x] = "";
    for (const [dy, dx] of [-1, 0, 1].flatMap((dy) => [-1, 0, 1].map((dx): [number, number] => [dy, dx]))) {
      if (kind === "#" || dy === 0 || dx === 0) fill(y + dy, x + dx, kind);
    }
  };
  const found = { ".": 0, "#": 0 };
  for (const [y, row] of cells.entries()) {
    for (const x of row.keys()) {
      const kind = row[x];
      if (kind !== "." && kind !== "#") continue;
      found[kind] += 1;
      fill(y, x, kind);
    }
  }
  return { parts: found["#"], holes: found["."] - 1 };
}

test("a character that no font has is an empty box, even if a system font has it", (t) => {
  const missing = "漢";
  const rows = rowsOf("regular", 20, missing);
  t.true(GlobalFonts.families.length > 0);
  t.regex(rows.at(0) ?? "", /^#+$/);
  t.regex(rows.at(-1) ?? "", /^#+$/);
  t.true(rows.slice(1, -1).every((row) => /^#\.+#$/.test(row)));
  t.deepEqual(rowsOf("regular", 20, NOBODYS), rows);
});

test("the box of a missing character fits between its neighbours at every size", (t) => {
  for (let at = 4; at <= 60; at += 1) {
    const { left, right, top, bottom } = inkOf("bold", at)(NOBODYS);
    t.true(left >= 0 && right <= Math.ceil(advanceOf("bold", NOBODYS) * at) + 1 && top >= -at && bottom <= 0, `${at}`);
  }
});

test("a standalone mark is drawn by itself", (t) => {
  const { left, right } = inkOf("regular", 40)("\u0301");
  t.true(right - left < 20, "no dotted circle stands below it");
});
