import test from "ava";
import fc from "fast-check";
import { linearSymbol, matrixSymbol } from "../../../drawing/codes/encode-codes.ts";
import type { Element } from "../../../schemas/canvas.ts";
import type { LinearCodeElement, MatrixCodeElement } from "../../../schemas/canvas-codes.ts";
import type { Color } from "../../../schemas/color.ts";
import { drawElements, inkOf, rowsOf } from "../drawing.ts";

const EAN = "3850334020802";
const code: LinearCodeElement = { kind: "ean13", x: 20, y: 10, width: 250, height: 60, value: "${item.ean}" };
const qr: MatrixCodeElement = { kind: "qr", x: 20, y: 10, width: 100, height: 90, value: "https://example.com/4711" };
const black: Element = { kind: "box", x: 0, y: 0, width: 300, height: 120, fill: "black" };
const drawCode = (more: Partial<LinearCodeElement>, ean = EAN) =>
  drawElements([{ ...code, ...more }], { item: { ean } });

/** The expected row of bars: `module` pixels for each module, with the symbol in the middle of the area. */
function barsRow({ x, width }: LinearCodeElement, module: number): string {
  const row = Array<string>(300).fill("W");
  const { bars, modules } = linearSymbol("ean13", EAN);
  const left = x + Math.floor((width - modules * module) / 2);
  for (let at = 0; at < bars.length; at += 2) {
    row.fill("K", left + (bars[at] ?? 0) * module, left + (bars[at + 1] ?? 0) * module);
  }
  return row.join("");
}

test("bars are continuous from the top of the area, with the digits below them", (t) => {
  const rows = rowsOf(drawCode({}).picture);
  const bars = rows.flatMap((row, y) => (row === barsRow(code, 2) ? [y] : []));
  t.deepEqual(
    bars,
    Array.from({ length: 47 }, (_, index) => 10 + index),
  );
  t.true(rows.slice(57, 70).some((row) => row.includes("K")));
});

test("a code stays inside its area, including its digits", (t) => {
  for (const height of [10, 29, 30, 31, 60, 100]) {
    const ink = inkOf(drawCode({ height }).picture);
    t.true(ink && ink.left >= 20 && ink.right <= 270 && ink.top === 10 && ink.bottom <= 10 + height, `${height}`);
  }
});

for (const [why, more] of [
  ["there is no space for digits", { height: 20 }],
  ["the design has no digits", { text: false }],
] as const) {
  test(`the bars use the full height if ${why}`, (t) => {
    const rows = rowsOf(drawCode(more).picture);
    const height = "height" in more ? more.height : code.height;
    t.deepEqual(rows.slice(10, 10 + height), Array(height).fill(barsRow(code, 2)));
    t.false(rows.slice(10 + height).some((row) => row.includes("K")));
  });
}

test("a code uses the widest whole module that fits", (t) => {
  fc.assert(
    fc.property(fc.integer({ min: 113, max: 300 }), fc.integer({ min: 1, max: 2 }), (width, smallestModule) => {
      const { picture } = drawCode({ x: 0, width, smallestModule });
      const module = Math.floor(width / 113);
      const row = rowsOf(picture)[10];
      t.is(row, module >= smallestModule ? barsRow({ ...code, x: 0, width }, module) : "W".repeat(300));
    }),
  );
});

test("the quiet zones are white on any background", (t) => {
  const rows = rowsOf(drawElements([black, code], { item: { ean: EAN } }).picture);
  const symbol = rows[20]?.slice(32, 32 + 226) ?? "";
  t.is(symbol, barsRow(code, 2).slice(32, 32 + 226));
  t.true(symbol.startsWith("W".repeat(22)) && symbol.endsWith("W".repeat(14)));
  t.is(rows[20]?.slice(0, 32), "K".repeat(32));
});

test("a matrix code is centred in its area with the largest whole module that fits", (t) => {
  const { dark, columns } = matrixSymbol("qr", "https://example.com/4711", "M");
  const rows = rowsOf(drawElements([black, qr]).picture);
  const module = Math.floor(90 / columns);
  const [left, top] = [20 + Math.floor((100 - columns * module) / 2), 10 + Math.floor((90 - columns * module) / 2)];
  const expected = Array.from({ length: 120 }, () => Array<string>(300).fill("K"));
  for (const row of expected.slice(top, top + columns * module)) row.fill("W", left, left + columns * module);
  for (let at = 0; at < dark.length; at += 3) {
    const [y = 0, from = 0, to = 0] = dark.subarray(at, at + 3);
    for (const row of expected.slice(top + y * module, top + (y + 1) * module)) {
      row.fill("K", left + from * module, left + to * module);
    }
  }
  t.deepEqual(
    rows,
    expected.map((row) => row.join("")),
  );
});

for (const [what, ean, message] of [
  [
    "with a wrong check digit",
    "3850334020803",
    '"3850334020803" is not a valid EAN-13: its check digit must be 2, not 3',
  ],
  ["with letters", "38503340208AB", '"38503340208AB" is not a valid EAN-13: it must have 13 digits'],
  ["of 8 digits", "40170725", '"40170725" is not a valid EAN-13: it must have 13 digits'],
] as const) {
  test(`a code ${what} is omitted and reported, and the rest is drawn`, (t) => {
    const { picture, errors } = drawElements([black, code], { item: { ean } });
    t.deepEqual(picture, drawElements([black]).picture);
    t.deepEqual(errors, [message]);
  });
}

const noRoom: [what: string, element: Element, message: RegExp][] = [
  [
    "too narrow for modules of 2 pixels",
    { ...code, width: 225, value: EAN },
    /needs a width of 226 pixels, but has 225/,
  ],
  [
    "too narrow for the design's smallest module",
    { ...code, smallestModule: 3, value: EAN },
    /needs a width of 339 pixels/,
  ],
  ["not high enough for bars", { ...code, height: 9, value: EAN }, /needs a height of 10 pixels, but has 9/],
  ["partly outside the label", { ...code, x: 100, value: EAN }, /needs a width of 226 pixels, but has 200/],
  ["fully outside the label", { ...code, x: 400, value: EAN }, /lies outside the label/],
  ["too small for a QR code", { ...qr, height: 60 }, /needs 66 x 66 pixels, but has 100 x 60/],
];

for (const [what, element, message] of noRoom) {
  test(`a code in an area ${what} is omitted and reported`, (t) => {
    const { picture, errors } = drawElements([element]);
    t.is(inkOf(picture), undefined);
    t.is(errors.length, 1);
    t.regex(errors[0] ?? "", message);
  });
}

test("a label without black or white shows no code", (t) => {
  const colors: Color[] = ["red", "yellow"];
  const { picture, errors } = drawElements([qr], { colors, background: "red" });
  t.deepEqual(picture, drawElements([], { colors, background: "red" }).picture);
  t.regex(errors[0] ?? "", /requires black and white/);
});

test("an item without a code is drawn without the code and without an error", (t) => {
  const { picture, warnings } = drawElements([black, code]);
  t.deepEqual(picture, drawElements([black]).picture);
  t.deepEqual(warnings, ["${item.ean} has no value"]);
});

test("a code with a missing part is omitted, since the rest would be a different code", (t) => {
  const { picture, warnings } = drawElements([{ ...code, kind: "code128", value: "${item.ean}-${item.batch}" }], {
    item: { ean: EAN },
  });
  t.is(inkOf(picture), undefined);
  t.deepEqual(warnings, ["${item.batch} has no value"]);
});

test("a code whose condition requires a value is omitted without a notice if the item has none", (t) => {
  t.deepEqual(drawElements([{ ...code, visible: "has(item.ean)" }]).warnings, []);
});

for (const [what, later] of [
  ["a bar", { kind: "line", x: 0, y: 20, width: 300, height: 1, color: "white" }],
  ["its quiet zone", { kind: "box", x: 33, y: 0, width: 4, height: 120, fill: "black" }],
] as [string, Element][]) {
  test(`a later element that covers ${what} of a code is reported`, (t) => {
    const { errors } = drawElements([code, later], { item: { ean: EAN } });
    t.deepEqual(errors, [`the code "${EAN}" is covered by a later element and may not scan`]);
  });
}

test("an element next to a code does not cover it", (t) => {
  const beside: Element = { kind: "box", x: 0, y: 0, width: 32, height: 120, fill: "black" };
  t.deepEqual(drawElements([code, beside], { item: { ean: EAN } }).errors, []);
});
