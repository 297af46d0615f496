import test from "ava";
import fc from "fast-check";
import { advanceOf, type Face, heightsOf, missingIn, reachOf, widthOf } from "../../../drawing/text/fonts.ts";

const faces: Face[] = ["regular", "bold", "condensed", "condensed-bold"];
const face = fc.constantFrom(...faces);
const character = fc.constantFrom(..."0123456789abcčćžšđABC€,.");
/** A code point reserved for private use, which no font has. */
const NOBODYS = "\u{10fffd}";

/** Every character of these blocks in Unicode 15, except the Coptic letters in the Greek block. */
const blocks: [name: string, from: number, to: number, but?: RegExp][] = [
  ["Basic Latin", 0x20, 0x7e],
  ["Latin-1 Supplement", 0xa0, 0xff],
  ["Latin Extended-A", 0x100, 0x17f],
  ["Latin Extended-B", 0x180, 0x24f],
  ["IPA Extensions", 0x250, 0x2af],
  ["Latin Extended Additional", 0x1e00, 0x1eff],
  ["Latin Extended-C", 0x2c60, 0x2c7f],
  ["Combining Diacritical Marks", 0x300, 0x36f],
  ["Greek and Coptic", 0x370, 0x3ff, /\p{Script=Coptic}/u],
  ["Greek Extended", 0x1f00, 0x1fff],
  ["Cyrillic", 0x400, 0x4ff],
  ["Cyrillic Supplement", 0x500, 0x52f],
  ["General Punctuation", 0x2010, 0x205e, /[\u2028\u2029]/],
  ["Superscripts and Subscripts", 0x2070, 0x209f],
  ["Currency Symbols", 0x20a0, 0x20c0],
];

for (const one of faces) {
  for (const [name, from, to, but] of blocks) {
    test(`${one} contains all of ${name}`, (t) => {
      const codes = Array.from({ length: to - from + 1 }, (_, index) => String.fromCodePoint(from + index));
      const assigned = codes.filter((code) => !/\p{Cn}/u.test(code) && !but?.test(code));
      t.deepEqual(missingIn(one, assigned.join("")), []);
    });
  }

  test(`${one}: a character that no font has is reported once`, (t) => {
    t.deepEqual(missingIn(one, `a${NOBODYS}b${NOBODYS}`), [NOBODYS]);
  });

  test(`${one}: scripts that join letters or run in another direction are reported, even if a font has their letters`, (t) => {
    t.deepEqual(missingIn(one, "aאbب漢กा"), ["א", "ب", "漢", "ก", "ा"]);
  });

  test(`${one}: an invisible character is not missing and does not move the pen`, (t) => {
    const invisible = "\u00ad\u200b\u200d\u200e\u2060\ufe0f\ufeff";
    t.deepEqual(missingIn(one, invisible), []);
    t.is(widthOf(one, invisible), 0);
  });

  test(`${one}: all digits have the same width, so that prices align in columns`, (t) => {
    t.is(new Set(Array.from("0123456789", (digit) => advanceOf(one, digit))).size, 1);
  });
}

test("a missing character is reported each time it is requested", (t) => {
  t.deepEqual([missingIn("bold", NOBODYS), missingIn("bold", NOBODYS)], [[NOBODYS], [NOBODYS]]);
});

test("a string is as wide as the sum of its characters", (t) => {
  fc.assert(
    fc.property(face, fc.array(character), fc.array(character), (of, one, other) => {
      const [left, right] = [one.join(""), other.join("")];
      t.true(Math.abs(widthOf(of, left + right) - widthOf(of, left) - widthOf(of, right)) < 1e-9);
    }),
  );
});

test("the faces differ: bold is wider than regular, and condensed narrower", (t) => {
  const text = "Cijena 12345";
  t.true(widthOf("bold", text) > widthOf("regular", text));
  t.true(widthOf("condensed", text) < widthOf("regular", text));
  t.true(widthOf("condensed-bold", text) < widthOf("bold", text));
});

test("glyphs that a condensed face takes from another font are condensed as well", (t) => {
  const lari = "₾";
  t.true(Math.abs(advanceOf("condensed", lari) - 0.9 * advanceOf("regular", lari)) < 1e-9);
});

test("a line is as tall as its face or its tallest character, whichever is taller", (t) => {
  const usual = heightsOf("regular", "Ab,");
  t.deepEqual(usual, heightsOf("regular", ""));
  t.true(usual.ascent > usual.descent && usual.descent > 0.2);
  t.true(heightsOf("regular", "A\u0302\u0301\u030c|").ascent >= usual.ascent);
  t.true(heightsOf("regular", "Ǻ").ascent > usual.ascent);
});

test("a string's extent is the extent of its ink", (t) => {
  t.deepEqual(reachOf("regular", " "), { top: 0, bottom: 0 });
  t.true(reachOf("regular", "x").top < reachOf("regular", "xb").top);
  t.true(reachOf("regular", "xp").bottom > reachOf("regular", "x").bottom + 0.15);
});
