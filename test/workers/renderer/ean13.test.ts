import test from "ava";
import fc from "fast-check";
import { CodeError, type FittedCode, fitEan13 } from "../../../workers/renderer/ean13.ts";

/** Number sets and their choice by the first digit, from the tables of the GS1 General Specifications, 5.2.1. */
const setC = "1110010 1100110 1101100 1000010 1011100 1001110 1010000 1000100 1001000 1110100".split(" ");
const setA = setC.map((modules) => modules.replace(/./g, (one) => (one === "1" ? "0" : "1")));
const setB = setC.map((modules) => [...modules].reverse().join(""));
const choices = "AAAAAA AABABB AABBAB AABBBA ABAABB ABBAAB ABBBAA ABABAB ABABBA ABBABA".split(" ");

/** The 95 modules of a code, a dark one as 1. */
function modulesOf(code: string): string {
  const [first = 0, ...rest] = Array.from(code, Number);
  const left = rest.slice(0, 6).map((digit, place) => (choices[first]?.[place] === "A" ? setA : setB)[digit]);
  const right = rest.slice(6).map((digit) => setC[digit]);
  return ["101", ...left, "01010", ...right, "101"].join("");
}

const code = fc.stringMatching(/^\d{12}$/).map((digits) => digits + checkDigit(digits));

/** Weights 1 and 3 in turn, filled up to the next ten (GS1 General Specifications, 7.9). */
function checkDigit(digits: string): number {
  const sum = Array.from(digits, Number).reduce((total, digit, place) => total + digit * (place % 2 === 0 ? 1 : 3), 0);
  return (10 - (sum % 10)) % 10;
}

const moduleOf = ({ left, right }: FittedCode): number => (right - left) / (11 + 95 + 7);

/** What a scanner sees between the quiet zones: one character a module. */
function seen(fitted: FittedCode): string {
  const module = moduleOf(fitted);
  const modules = Array<string>(95).fill("0");
  for (const { x, width } of fitted.bars) {
    const start = (x - fitted.left) / module - 11;
    modules.fill("1", start, start + width / module);
  }
  return modules.join("");
}

test("the bars are those of the standard's tables", (t) => {
  fc.assert(fc.property(code, (value) => t.is(seen(fitEan13(value, 226)), modulesOf(value))));
});

const width = fc.integer({ min: 226, max: 4096 });

test("a code lies inside its width, is as wide as fits, and has 2 whole pixels a module at least", (t) => {
  fc.assert(
    fc.property(code, width, (value, room) => {
      const fitted = fitEan13(value, room);
      const module = moduleOf(fitted);
      t.true(fitted.left >= 0 && fitted.right <= room);
      t.true(Number.isInteger(module) && module >= 2);
      t.true((module + 1) * 113 > room);
      t.true(fitted.bars.every((bar) => Number.isInteger(bar.x) && bar.width % module === 0));
    }),
  );
});

test("quiet zones are 11 modules on the left and 7 on the right, and the code is in the middle", (t) => {
  fc.assert(
    fc.property(code, width, (value, room) => {
      const fitted = fitEan13(value, room);
      const [first, last] = [fitted.bars.at(0), fitted.bars.at(-1)];
      t.is((first?.x ?? 0) - fitted.left, 11 * moduleOf(fitted));
      t.is(fitted.right - (last?.x ?? 0) - (last?.width ?? 0), 7 * moduleOf(fitted));
      t.true(Math.abs(fitted.left - (room - fitted.right)) <= 1);
    }),
  );
});

test("every wrong check digit is refused", (t) => {
  fc.assert(
    fc.property(code, fc.integer({ min: 1, max: 9 }), (value, off) => {
      const wrong = value.slice(0, 12) + ((Number(value[12]) + off) % 10);
      t.throws(() => fitEan13(wrong, 300), { instanceOf: CodeError, message: new RegExp(wrong) });
    }),
  );
});

for (const value of [
  "",
  "385033402080",
  "38503340208022",
  "385033402080A",
  "3850334020802 ",
  "３８５０３３４０２０８０２",
]) {
  test(`"${value}" is no EAN-13`, (t) => {
    t.throws(() => fitEan13(value, 300), { instanceOf: CodeError, message: /13 digits/ });
  });
}

test("an area too narrow for modules of 2 pixels is refused", (t) => {
  t.throws(() => fitEan13("3850334020802", 225), { instanceOf: CodeError, message: /226 pixels, but has 225/ });
});
