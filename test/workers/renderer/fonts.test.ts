import test from "ava";
import fc from "fast-check";
import { advanceOf, type Face, heightsOf, inkOf, missingIn, widthOf } from "../../../workers/renderer/fonts.ts";

const faces: Face[] = ["regular", "bold", "condensed", "condensed-bold"];
const SHELF_TEXT = "0123456789€$£¥čćžšđČĆŽŠĐäöüßéèñ.,-−%/'\"()+& \u00a0\u202f";
/** A code point that is reserved for private use: no font has it. */
const NOBODYS = "\u{10fffd}";

const character = fc.constantFrom(..."0123456789abcčćžšđABC€,.");
const size = fc.integer({ min: 12, max: 120 });
const face = fc.constantFrom(...faces);

/** The leftmost, rightmost, highest and lowest place of a character's ink. */
function boundsOf(of: Face, at: number, text: string) {
  const runs = inkOf(of, at)(text);
  const places = Array.from({ length: runs.length / 3 }, (_, place) => [...runs.subarray(place * 3, place * 3 + 3)]);
  const [rows, from, to] = [0, 1, 2].map((column) => places.map((run) => run[column] ?? 0));
  return {
    left: Math.min(...(from ?? [])),
    right: Math.max(...(to ?? [])),
    top: Math.min(...(rows ?? [])),
    bottom: Math.max(...(rows ?? [])),
  };
}

for (const one of faces) {
  test(`${one} has digits, currencies and the letters of Croatian`, (t) => {
    t.deepEqual(missingIn(one, SHELF_TEXT), []);
  });

  test(`${one}: a character that no font has is told, once`, (t) => {
    t.deepEqual(missingIn(one, `a${NOBODYS}b${NOBODYS}`), [NOBODYS]);
  });

  test(`${one}: all digits are equally wide, so that prices stand in columns`, (t) => {
    t.is(new Set(Array.from("0123456789", (digit) => advanceOf(one, digit))).size, 1);
  });
}

test("a missing character is found again when it is asked for again", (t) => {
  t.deepEqual([missingIn("bold", NOBODYS), missingIn("bold", NOBODYS)], [[NOBODYS], [NOBODYS]]);
});

test("a text is as wide as its characters together", (t) => {
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

test("every character of a price has ink, near where the pen is, from 12 pixels on", (t) => {
  fc.assert(
    fc.property(face, size, character, (of, at, text) => {
      const { left, right, top, bottom } = boundsOf(of, at, text);
      const { ascent, descent } = heightsOf(of);
      t.true(right > left);
      t.true(left >= -1 - at / 10 && right <= advanceOf(of, text) * at + 1 + at / 10);
      t.true(top >= -Math.ceil(ascent * at) && bottom < Math.ceil(descent * at));
    }),
  );
});

test("a character's ink grows with its size", (t) => {
  fc.assert(
    fc.property(face, fc.integer({ min: 16, max: 60 }), character, (of, at, text) => {
      const [small, large] = [boundsOf(of, at, text), boundsOf(of, at * 2, text)];
      t.true(Math.abs(large.right - large.left - 2 * (small.right - small.left)) <= 3);
    }),
  );
});

test("a blank has no ink, and moves the pen", (t) => {
  t.is(inkOf("regular", 20)(" ").length, 0);
  t.true(advanceOf("regular", " ") > 0);
});

test("every character of a price has ink, however small", (t) => {
  for (const face of ["regular", "bold", "condensed", "condensed-bold"] as const)
    for (let size = 8; size <= 40; size += 1)
      for (const character of "0123456789.,€$-")
        t.true(inkOf(face, size)(character).length > 0, `${character} ${face} ${size}`);
});
