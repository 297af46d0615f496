import test from "ava";
import bwip from "bwip-js/node";
import fc from "fast-check";
import { CodeError } from "../../../drawing/codes/code-error.ts";
import { type EanLength, eanWidths } from "../../../drawing/codes/encode-ean.ts";

/** The number sets and their choice by the first digit, from the tables of the GS1 General Specifications, 5.2.1. */
const setC = "1110010 1100110 1101100 1000010 1011100 1001110 1010000 1000100 1001000 1110100".split(" ");
const setA = setC.map((modules) => modules.replace(/./g, (one) => (one === "1" ? "0" : "1")));
const setB = setC.map((modules) => [...modules].reverse().join(""));
const choices = "AAAAAA AABABB AABBAB AABBBA ABAABB ABBAAB ABBBAA ABABAB ABABBA ABBABA".split(" ");

/** The modules of a code, with 1 for a dark module. */
function modulesOf(code: string): string {
  const digits = Array.from(code.length === 12 ? `0${code}` : code, Number);
  const choice = code.length === 8 ? "AAAA" : choices[digits.shift() ?? 0];
  const half = digits.length / 2;
  const left = digits.slice(0, half).map((digit, index) => (choice?.[index] === "A" ? setA : setB)[digit]);
  const right = digits.slice(half).map((digit) => setC[digit]);
  return ["101", ...left, "01010", ...right, "101"].join("");
}

/**
 * Weights 3 and 1 alternate from the right, and the check digit makes the sum a multiple of ten (GS1 General
 * Specifications, 7.9).
 */
function checkDigit(digits: string): number {
  const sum = Array.from(digits, Number).reduceRight(
    (total, digit, index) => total + digit * ((digits.length - index) % 2 === 1 ? 3 : 1),
    0,
  );
  return (10 - (sum % 10)) % 10;
}

const shown = (widths: readonly number[]): string =>
  widths.map((width, index) => (index % 2 === 0 ? "1" : "0").repeat(width)).join("");

for (const [length, name, symbology] of [
  [13, "EAN-13", "ean13"],
  [12, "UPC-A", "upca"],
  [8, "EAN-8", "ean8"],
] as [EanLength, string, string][]) {
  const code = fc.stringMatching(new RegExp(`^\\d{${length - 1}}$`)).map((digits) => digits + checkDigit(digits));

  test(`the bars of an ${name} match the tables of the standard`, (t) => {
    fc.assert(fc.property(code, (value) => t.is(shown(eanWidths(value, length)), modulesOf(value))));
  });

  test(`an independent library draws the same bars of an ${name}`, (t) => {
    fc.assert(
      fc.property(code, (value) => {
        const [symbol] = bwip.raw(symbology, value, "");
        t.deepEqual([...eanWidths(value, length)], symbol && "sbs" in symbol ? [...symbol.sbs] : []);
      }),
    );
  });

  test(`every wrong check digit of an ${name} is refused, and the error states the correct digit`, (t) => {
    fc.assert(
      fc.property(code, fc.integer({ min: 1, max: 9 }), (value, off) => {
        const [digits, right] = [value.slice(0, -1), Number(value.at(-1))];
        t.throws(() => eanWidths(`${digits}${(right + off) % 10}`, length), {
          instanceOf: CodeError,
          message: `"${digits}${(right + off) % 10}" is not a valid ${name}: its check digit must be ${right}, not ${(right + off) % 10}`,
        });
      }),
    );
  });

  for (const value of ["", "1", "0".repeat(length - 1), "0".repeat(length + 1), `${"0".repeat(length - 1)}A`]) {
    test(`"${value}" is not an ${name}`, (t) => {
      t.throws(() => eanWidths(value, length), {
        instanceOf: CodeError,
        message: `"${value}" is not a valid ${name}: it must have ${length} digits`,
      });
    });
  }
}

for (const value of ["3850334020802 ", "３８５０３３４０２０８０２", "٣٨٥٠٣٣٤٠٢٠٨٠٢", "-385033402080"]) {
  test(`"${value}" is not an EAN-13: a digit is one of 0 to 9`, (t) => {
    t.throws(() => eanWidths(value, 13), { instanceOf: CodeError, message: /13 digits/ });
  });
}
