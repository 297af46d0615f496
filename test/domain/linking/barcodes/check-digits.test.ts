import test from "ava";
import { asciiCheckDigit, gs1CheckDigit } from "../../../../domain/linking/barcodes/check-digits.ts";

// The examples of GS1's General Specifications (section 7.9) and of codes on real packages.
for (const [code, digit] of [
  ["629104150021", "3"],
  ["400638133393", "1"],
  ["9638507", "4"],
  ["03600029145", "2"],
] as const) {
  test(`the GS1 check digit of ${code} is ${digit}`, (t) => {
    t.is(gs1CheckDigit(code), digit);
  });
}

test("a GTIN with a character that is not a digit has no check digit", (t) => {
  t.notRegex(gs1CheckDigit("40063813339A"), /\d/);
});

test("the check digit of a label's barcode is the sum of its characters' ASCII codes, modulo 10", (t) => {
  t.is(asciiCheckDigit("A1"), String((65 + 49) % 10));
});
