import test from "ava";
import fc from "fast-check";
import { barcodeScheme, checkDigit } from "../../../records/linking/barcode.ts";
import { readEnvironment } from "../../../schemas/environment.ts";

const { BARCODE_PATTERN } = readEnvironment(["BARCODE_PATTERN"], [], {});
const readType = barcodeScheme(BARCODE_PATTERN);

const DIGITS = "0123456789";
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const textOf = (alphabet: string, length: number) =>
  fc.string({ unit: fc.constantFrom(...alphabet), minLength: length, maxLength: length });
/** The first 16 characters of a barcode, and the type in them. */
const body = fc
  .tuple(textOf(LETTERS, 1), textOf(DIGITS + LETTERS, 10), textOf(DIGITS, 4))
  .map(([letter, serial, type]) => ({ body: `${letter}4${serial}${type}`, type: Number(type) }));
const sumOf = (text: string): number => [...text].reduce((sum, character) => sum + character.charCodeAt(0), 0);

test("a barcode by hand: 65 + 52 + 10 * 48 + 49 + 54 + 50 + 56 = 806, so the check digit is 6", (t) => {
  t.is(readType("A400000000001628" + "6"), 1628);
});

test("characters 13 to 16 of a barcode are the label type", (t) => {
  fc.assert(
    fc.property(body, (given) => {
      t.is(readType(`${given.body}${sumOf(given.body) % 10}`), given.type);
    }),
  );
});

test("the 17th character is the sum of the codes of the 16 before it, modulo 10: no other digit will do", (t) => {
  fc.assert(
    fc.property(body, fc.integer({ min: 1, max: 9 }), (given, off) => {
      t.is(readType(`${given.body}${(sumOf(given.body) + off) % 10}`), undefined);
    }),
  );
});

test("a misread character is noticed, unless the sum stays the same", (t) => {
  fc.assert(
    fc.property(body, fc.nat({ max: 15 }), fc.constantFrom(...DIGITS, ...LETTERS), (given, index, character) => {
      const misread = given.body.slice(0, index) + character + given.body.slice(index + 1);
      fc.pre(sumOf(misread) % 10 !== sumOf(given.body) % 10);
      t.is(readType(`${misread}${sumOf(given.body) % 10}`), undefined);
    }),
  );
});

const withDigit = (text: string): string => `${text}${sumOf(text) % 10}`;
const invalid: [string, string][] = [
  ["nothing", ""],
  ["16 characters", withDigit("A40000000001628")],
  ["18 characters", withDigit("A4000000000001628")],
  ["a digit in front", withDigit("1400000000001628")],
  ["another second character than 4", withDigit("A500000000001628")],
  ["a type that is no number", withDigit("A40000000000162X")],
  ["a letter as the check digit", "A400000000001628G"],
  ["a blank at the end", `${withDigit("A400000000001628")} `],
  ["a line break at the end", `${withDigit("A400000000001628")}\n`],
  ["text in front", `x${withDigit("A400000000001628")}`],
];
for (const [what, barcode] of invalid) {
  test(`no barcode: ${what}`, (t) => {
    t.is(readType(barcode), undefined);
  });
}

test("a barcode with its check digit is valid", (t) => {
  fc.assert(
    fc.property(body, (given) => {
      t.is(readType(`${given.body}${checkDigit(given.body)}`), given.type);
    }),
  );
});

test("another scheme is another pattern with a group `type`, check digit included", (t) => {
  const readOwn = barcodeScheme("^L(?<type>\\d{2})-\\d{4}$");
  t.is(readOwn(withDigit("L42-123")), 42);
  t.is(readOwn(withDigit("L42-12")), undefined);
  t.is(readOwn("L42-1231"), undefined);
  t.is(readOwn(withDigit("A400000000001628")), undefined);
});

test("a pattern without a group `type` is refused at once, and named", (t) => {
  for (const pattern of ["^[A-Z]4\\d{15}$", "^(\\d{4})$", "^(?<kind>\\d{4})$"]) {
    const error = t.throws(() => barcodeScheme(pattern));
    t.true(error.message.includes(pattern), error.message);
  }
});

test("a pattern that is no regular expression is refused at once", (t) => {
  t.throws(() => barcodeScheme("(?<type>[0-9"));
});
