import test from "ava";
import type { Element, LayoutElement } from "../../../schemas/canvas.ts";
import type { PriceElement, TextElement } from "../../../schemas/canvas-texts.ts";
import { drawElements, rowsOf } from "../drawing.ts";

const price: PriceElement = {
  ...{ kind: "price", x: 20, y: 20, width: 200, height: 60, font: "bold", size: 60, color: "black", value: "12.49" },
};
const whole: TextElement = {
  ...{ kind: "text", x: 20, y: 20, width: 200, height: 20, font: "regular", size: 14, color: "black", whole: true },
  text: "Najniža u 30 dana: 1,59 €",
};
const line = { kind: "line", x: 10, y: 45, width: 240, height: 1, color: "black" } as const;
const box = { kind: "box", x: 40, y: 22, width: 60, height: 30, fill: "black" } as const;

const warningsOf = (...elements: LayoutElement[]): string[] => drawElements(elements).warnings;
const CROSSED = 'a line crosses the price "12.49", so that it looks struck through';
const COVERED = 'the text "Najniža u 30 dana: 1,59 €" must be shown completely, but is covered by a later element';

const crossing: [what: string, elements: Element[]][] = [
  ["a line in front of it", [price, line]],
  ["a line behind it", [line, price]],
  ["a line of another colour behind it", [{ ...line, color: "red" }, price]],
  ["a diagonal", [price, { ...line, y: 25, height: 40 }]],
  ["a rising diagonal", [price, { ...line, y: 25, height: 40, direction: "up" }]],
  ["a vertical line", [{ ...line, x: 100, y: 10, width: 1, height: 90, color: "red" }, price]],
  ["a bar", [price, { kind: "box", x: 10, y: 44, width: 240, height: 3, fill: "black" }]],
  ["the side of a frame", [{ kind: "box", x: 5, y: 45, width: 280, height: 70, stroke: "red" }, price]],
  [
    "the side of a polygon",
    [
      {
        ...area(10, 45),
        kind: "polygon",
        points: [
          [0, 0],
          [239, 0],
          [120, 59],
        ],
        stroke: "red",
      },
      price,
    ],
  ],
];
const beside: [what: string, elements: Element[]][] = [
  ["a line below it", [price, { ...line, y: 90 }]],
  ["a line that touches its bottom edge", [price, { ...line, y: 67 }]],
  ["a frame around it", [{ kind: "box", x: 5, y: 5, width: 280, height: 100, stroke: "black" }, price]],
  ["its own box", [{ ...price, width: 240, height: 80, box: { stroke: "black", fill: "white" } }]],
  ["its strike", [{ ...price, struck: true }]],
  ["a surface behind it", [{ kind: "box", x: 5, y: 5, width: 280, height: 100, fill: "white" }, price]],
];

function area(x: number, y: number) {
  return { x, y, width: 240, height: 60 };
}

for (const [what, elements] of crossing)
  test(`a price is reported if ${what} goes through it`, (t) => t.deepEqual(warningsOf(...elements), [CROSSED]));

for (const [what, elements] of beside)
  test(`a price is not reported for ${what}`, (t) => t.deepEqual(warningsOf(...elements), []));

test("a line through a turned price is detected on the label", (t) => {
  const turned: PriceElement = { ...price, x: 100, y: 5, width: 60, height: 110, size: 36, rotate: 90 };
  const upright = { ...line, x: 146, y: 2, width: 1, height: 116 };
  t.deepEqual(warningsOf(turned, upright), [CROSSED]);
  t.deepEqual(warningsOf(turned, { ...upright, x: 110 }), []);
});

test("covered text that must be complete is reported, even if the cover has the text's colour", (t) => {
  for (const fill of ["black", "red", "white"] as const) t.deepEqual(warningsOf(whole, { ...box, fill }), [COVERED]);
  t.deepEqual(warningsOf({ ...whole, text: "Najniža ", runs: [{ text: "1,59 €", bold: true }] }, box).length, 1);
  t.deepEqual(warningsOf({ ...box, fill: "white" }, whole), [], "a box behind it");
  t.deepEqual(warningsOf(whole, { ...box, y: 60 }), [], "a box beside it");
  t.deepEqual(warningsOf({ ...whole, whole: false }, box), [], "a text that need not be complete may be covered");
});

test("a price under an element of its own colour is reported, although none of its ink changes", (t) => {
  t.deepEqual(warningsOf(price, { ...box, height: 60 }), [
    'the price "12.49" is covered by a later element of the same colour',
  ]);
});

for (const value of ["0.00", "0", "-1.50"])
  test(`a price of ${value} is reported`, (t) => {
    t.deepEqual(warningsOf({ ...price, value }), [`the price "${value}" is not greater than 0`]);
  });

for (const value of ["N/A", "null", "-"])
  test(`a placeholder for a missing price, such as ${value}, is reported`, (t) => {
    t.deepEqual(warningsOf({ ...price, value }), [`the price "${value}" is not a number and is shown as sent`]);
  });

const bitmap = (shade: number, alpha: number) => ({
  width: 4,
  height: 4,
  data: Buffer.alloc(64, shade).map((byte, at) => (at % 4 === 3 ? alpha : byte)),
});
const image = { kind: "image", x: 10, y: 10, width: 40, height: 40, image: "logo" } as const;
const withImage = (shade: number, alpha: number, more: object = {}) =>
  drawElements([{ ...image, ...more }], { images: new Map([["logo", { bitmap: bitmap(shade, alpha) }]]) }).warnings;

test("an image that leaves no ink is reported", (t) => {
  const unseen = 'the image "logo" is invisible: it has the colours of its background, or lies outside the label';
  t.deepEqual(withImage(255, 255), [unseen], "white on white");
  t.deepEqual(withImage(0, 0), [unseen], "transparent");
  t.deepEqual(withImage(0, 255, { x: 400 }), [unseen], "outside");
  t.deepEqual(withImage(0, 255), []);
});

test("a price for a fraction of a legal unit, as in old designs, is reported", (t) => {
  const text = { ...whole, whole: false };
  const told = (written: string) => warningsOf({ ...text, text: written });
  t.deepEqual(told("Jed. cijena 11,98 €/g"), [
    '"Jed. cijena 11,98 €/g" is a price per g: the law requires a price per kg, as unitPrice() writes it',
  ]);
  t.is(told("0,27 €/cl").length, 1);
  t.deepEqual(warningsOf({ ...text, text: "11,98 €", runs: [{ text: "/g" }] }).length, 1);
  for (const fine of ["11,98 €/kg", "1,20 €/100 g", "0,21 €/kom", "12/24 g", "500 g", "3 €/pranje"])
    t.deepEqual(told(fine), [], fine);
});

const ean = { kind: "ean13", x: 10, y: 10, width: 240, height: 80, value: "3850102123452" } as const;

test("digits below a code that are too small to read are reported", (t) => {
  t.deepEqual(warningsOf({ ...ean, textSize: 6 }), [
    'the text below the code "3850102123452" is 6 pixels tall and not legible: it needs 8 pixels',
  ]);
  t.deepEqual(warningsOf({ ...ean, textSize: 8 }), []);
  t.deepEqual(warningsOf({ ...ean, textSize: 6, text: false }), []);
});

test("digits below a code do not touch at any size", (t) => {
  for (let textSize = 8; textSize <= 24; textSize += 1) {
    const rows = rowsOf(drawElements([{ ...ean, textSize }]).picture);
    const below = rows.slice(-31).filter((row) => row.includes("K"));
    const bottom = rows.slice(0, 90).slice(-Math.floor(textSize * 0.7));
    const isInked = (x: number) => bottom.some((row) => row[x] === "K");
    const letters = Array.from({ length: 300 }, (_, x) => isInked(x)).filter((inked, x, all) => inked && !all[x - 1]);
    t.deepEqual(below, []);
    t.is(letters.length, 13, `at ${textSize}`);
  }
});
