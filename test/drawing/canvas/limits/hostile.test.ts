import test from "ava";
import { BudgetError } from "../../../../domain/expression/meter.ts";
import { compileCanvas, DesignError } from "../../../../drawing/canvas/compile-canvas.ts";
import { DrawingError } from "../../../../drawing/text/drawing-error.ts";
import type { Element } from "../../../../schemas/canvas.ts";
import { drawElements, inkOf } from "../../drawing.ts";
import { area, canvas, text, type } from "../elements.ts";

const price = (value: string, more: object = {}): Element => ({ kind: "price", ...area, ...type, value, ...more });

/** Each of these must end quickly: it is refused when it is compiled, reported when it is drawn, or drawn. */
const refused: [what: string, elements: unknown[], message: RegExp][] = [
  ["100,000 elements", Array(100_000).fill(text("a")), /at most 200 elements, not 100000/],
  ["a font of a billion pixels", [text("a", { size: 1e9 })], /size: must be at most 1024/],
  ["a font of no pixels", [text("a", { size: 0 })], /size: must be at least 4/],
  ["a font of NaN pixels", [text("a", { size: Number.NaN })], /size: must be an integer/],
  ["an area without width", [text("a", { width: 0 })], /width: must be at least 1/],
  ["an area of infinite height", [text("a", { height: Number.POSITIVE_INFINITY })], /height/],
  ["an area a billion pixels away", [text("a", { x: 1e9 })], /x: must be at most 4096/],
  ["a billion lines", [text("a", { lines: 1e9 })], /lines: must be at most 20/],
  ["a nested template", [text("${${item.a}}")], /elements\/0\/text/],
  ["an unclosed template", [text("${".repeat(2000))], /elements\/0\/text/],
  ["braces 2,000 deep", [text(`\${${"{".repeat(2000)}`)], /elements\/0\/text/],
  ["parentheses 1,000 deep", [text(`\${${"(".repeat(1000)}1${")".repeat(1000)}}`)], /elements\/0\/text/],
  ["a condition of 600 terms", [text("a", { visible: Array(600).fill("true").join("&&") })], /elements\/0\/visible/],
  [
    "deeply nested macros",
    [text("a", { visible: "[1].all(a, [1].all(b, [1].all(c, a == b && b == c)))" })],
    /nested at most 2 levels deep/,
  ],
  ["a template of a megabyte", [text("a".repeat(1_000_000))], /4096/],
  ["an unknown map", [text("${process.env}")], /process/],
];

for (const [what, elements, message] of refused) {
  test(`${what}: refused`, (t) => {
    t.throws(() => compileCanvas(canvas(elements)), { instanceOf: DesignError, message });
  });
}

test("a value is never treated as a template, even if it looks like one", (t) => {
  const { picture } = drawElements([text("${item.a}")], { item: { a: "${item.a}" } });
  t.deepEqual(picture, drawElements([text('${"$" + "{item.a}"}')]).picture);
});

const LONGEST = 4096;
const texts: [what: string, value: string][] = [
  ["one letter repeated", "W".repeat(LONGEST)],
  ["one digit repeated", "8".repeat(LONGEST)],
  ["short words", "a ".repeat(LONGEST / 2)],
  ["spaces and a letter", `${" ".repeat(LONGEST - 1)}a`],
  ["line breaks", "\n".repeat(LONGEST)],
  ["lines of a letter", "a\n".repeat(LONGEST / 2)],
  ["marks on one letter", `a${"\u0301\u0323".repeat(LONGEST / 2)}`],
  ["invisible characters", "\u200b".repeat(LONGEST)],
  ["no-break blanks", "\u00a0".repeat(LONGEST)],
  ["missing letters, all different", String.fromCodePoint(...Array.from({ length: 2000 }, (_, at) => 0x12000 + at))],
  ["existing letters, all different", String.fromCodePoint(...Array.from({ length: 900 }, (_, at) => 0x100 + at))],
  ["numbers joined by commas", "1,".repeat(LONGEST / 2)],
  ["halves of surrogate pairs", "\ud800".repeat(LONGEST)],
];

for (const [what, value] of texts) {
  test(`25 text elements of 4,096 characters that shrink from 1,024 pixels are drawn: ${what}`, (t) => {
    const elements = Array.from({ length: 25 }, (_, index) =>
      text("${item.a}", { size: 1024 - index, minimumSize: 4, lines: 1 + (index % 20), y: index }),
    );
    const { warnings } = drawElements(elements, { item: { a: value } });
    t.true(warnings.length <= 21);
    t.true(warnings.every((warning) => warning.length < 20_000));
  });
}

test("text that grows when it is filled is limited to what an element can show", (t) => {
  const sum = Array(10).fill("item.a").join(" + ");
  const elements = Array.from({ length: 20 }, () => text(`\${${sum}}\${${sum}}`, { size: 8 }));
  t.truthy(inkOf(drawElements(elements, { item: { a: "W".repeat(LONGEST) } }).picture));
});

test("text that exceeds its steps has no value", (t) => {
  const sum = Array(120).fill("item.a").join(" + ");
  const { picture, warnings } = drawElements([text(`\${${sum}}`)], { item: { a: "W".repeat(LONGEST) } });
  t.is(inkOf(picture), undefined);
  t.deepEqual(warnings, [`\${${sum}} has no value`]);
});

test("an expression with catastrophic backtracking ends", (t) => {
  const visible = 'item.a.matches("^(a+)+$")';
  t.is(inkOf(drawElements([text("a", { visible })], { item: { a: `${"a".repeat(4000)}!` } }).picture), undefined);
});

for (const value of ["NaN", "Infinity", "-Infinity", "1e309", "0x10", "--1", "1.2.3", "", " ", "١٢٫٩٩", "1,99"]) {
  test(`a price "${value}" that is not a number is shown as sent, or omitted if it is blank`, (t) => {
    const { picture, warnings } = drawElements([price("${item.price}")], { item: { price: value } });
    t.is(inkOf(picture) === undefined, value.trim() === "");
    t.is(
      warnings.some((warning) => warning.includes("is not a number")),
      value.trim() !== "",
    );
  });
}

for (const value of [
  "-0",
  "0",
  "00000000000000000000000000001.99",
  "9".repeat(32),
  `0.${"0".repeat(29)}1`,
  "1".repeat(4096),
]) {
  test(`a price "${value.slice(0, 40)}" is drawn in full or is a fault`, (t) => {
    const draw = () => drawElements([price("${item.price}", { minimumSize: 8 })], { item: { price: value } });
    try {
      t.truthy(inkOf(draw().picture));
    } catch (error) {
      t.true(error instanceof DrawingError, String(error));
    }
  });
}

test("codes of 4,096 characters are reported in every symbology", (t) => {
  const kinds = ["ean13", "ean8", "upca", "code128", "gs1-128", "qr", "gs1-datamatrix"] as const;
  const elements = kinds.map((kind): Element => ({ kind, ...area, value: "${item.a}" }));
  t.is(drawElements(elements, { item: { a: "(10)".repeat(1024) } }).errors.length, kinds.length);
});

const codes = (count: number, value: string, more: object = {}) =>
  Array.from(
    { length: count },
    (_, index): Element => ({
      ...{ kind: "qr", ...area, height: 300, smallestModule: 1, value: `${value}${index}` },
      ...more,
    }),
  );
const large = { width: 400, height: 300 };

test("distinct codes are drawn, and each covered code is reported", (t) => {
  const { picture, errors } = drawElements(codes(60, "a".repeat(30)), large);
  t.truthy(inkOf(picture));
  t.is(errors[0], `the code "${"a".repeat(30)}0" is covered by a later element and may not scan`);
});

test("codes that take too much work are a fault of the label, even if they were encoded before", (t) => {
  const elements = codes(200, "a".repeat(990));
  const refusal = { instanceOf: BudgetError, message: /the drawing takes more than 1000000 steps/ };
  t.throws(() => drawElements(elements.slice(0, 60), large), refusal);
  t.throws(() => drawElements(elements.slice(0, 60), large), refusal);
  t.notThrows(() => drawElements(elements.slice(0, 10), large));
});
