import test from "ava";
import { compileCanvas } from "../../../drawing/canvas/compile-canvas.ts";
import { draw, layoutOf, paint } from "../../../drawing/canvas/draw.ts";
import { fillLayout } from "../../../drawing/canvas/fill-canvas.ts";
import { blankPicture } from "../../../drawing/pixels/blank-picture.ts";
import { DrawingError } from "../../../drawing/text/drawing-error.ts";
import type { Element } from "../../../schemas/canvas.ts";
import type { Color } from "../../../schemas/color.ts";
import { colorsIn, drawElements, inkOf, rowsOf } from "../drawing.ts";

const BW: Color[] = ["white", "black"];
const small = { width: 6, height: 4, colors: ["white", "black", "red"] as Color[] };
const box = (more: Partial<Extract<Element, { kind: "box" }>>): Element => ({
  kind: "box",
  x: 0,
  y: 0,
  width: 6,
  height: 4,
  ...more,
});

const shapes: [rule: string, elements: Element[], rows: string[]][] = [
  ["a design without elements shows only its background", [], ["WWWWWW", "WWWWWW", "WWWWWW", "WWWWWW"]],
  ["a filled box", [box({ x: 1, y: 1, width: 3, height: 2, fill: "red" })], ["WWWWWW", "WRRRWW", "WRRRWW", "WWWWWW"]],
  ["a stroke is drawn inside the edge", [box({ stroke: "black" })], ["KKKKKK", "KWWWWK", "KWWWWK", "KKKKKK"]],
  [
    "a box with fill and stroke",
    [box({ x: 1, width: 5, fill: "red", stroke: "black" })],
    ["WKKKKK", "WKRRRK", "WKRRRK", "WKKKKK"],
  ],
  ["a box with round corners", [box({ radius: 2, fill: "red" })], ["WRRRRW", "RRRRRR", "RRRRRR", "WRRRRW"]],
  [
    "the stroke of a box with round corners",
    [box({ radius: 2, stroke: "black" })],
    ["WKKKKW", "KWWWWK", "KWWWWK", "WKKKKW"],
  ],
  [
    "a thick stroke of a box with round corners",
    [box({ radius: 2, stroke: "black", thickness: 2 })],
    ["WKKKKW", "KKKKKK", "KKKKKK", "WKKKKW"],
  ],
  [
    "a box is rounded by at most half its size",
    [box({ x: 1, width: 4, radius: 100, fill: "black" })],
    ["WWKKWW", "WKKKKW", "WKKKKW", "WWKKWW"],
  ],
  ["a box with neither fill nor stroke is invisible", [box({})], ["WWWWWW", "WWWWWW", "WWWWWW", "WWWWWW"]],
  [
    "a line from corner to corner of its area",
    [{ kind: "line", x: 1, y: 0, width: 4, height: 4, color: "black" }],
    ["WKWWWW", "WWKWWW", "WWWKWW", "WWWWKW"],
  ],
  [
    "a horizontal line",
    [{ kind: "line", x: 1, y: 2, width: 4, height: 1, color: "red" }],
    ["WWWWWW", "WWWWWW", "WRRRRW", "WWWWWW"],
  ],
  [
    "later elements cover earlier ones",
    [box({ fill: "black" }), box({ width: 3, fill: "white" })],
    ["WWWKKK", "WWWKKK", "WWWKKK", "WWWKKK"],
  ],
  [
    "anything outside the label is clipped",
    [box({ x: -4, y: -3, fill: "black" }), box({ x: 5, y: 3, fill: "red" })],
    ["KKWWWW", "WWWWWW", "WWWWWW", "WWWWWR"],
  ],
];

for (const [rule, elements, rows] of shapes) {
  test(rule, (t) => {
    const { picture, warnings } = drawElements(elements, small);
    t.deepEqual(rowsOf(picture), rows);
    t.deepEqual(warnings, []);
  });
}

test("the background is the design's, or black if the label lacks that colour", (t) => {
  t.deepEqual(colorsIn(drawElements([], { background: "red" }).picture), ["red"]);
  t.deepEqual(colorsIn(drawElements([], { background: "red", colors: BW }).picture), ["black"]);
});

const offer: Element = {
  kind: "text",
  x: 0,
  y: 0,
  width: 300,
  height: 40,
  font: "bold",
  size: 30,
  text: "AKCIJA",
  color: ["red", "black"],
};

for (const [colors, shown] of [
  [["white", "black", "red"], "red"],
  [["white", "black", "red", "yellow"], "red"],
  [["white", "black", "yellow"], "black"],
  [["white", "black"], "black"],
] as [Color[], Color][]) {
  test(`text in red, else black, is ${shown} on a label with ${colors.join(", ")}`, (t) => {
    t.deepEqual(colorsIn(drawElements([offer], { colors }).picture), [shown, "white"]);
  });
}

for (const visible of ["false", "has(item.brand)", "item.brand == 'x'", "item.name", "1 / 0 == 1"]) {
  test(`an element is omitted without a notice if "${visible}" is not true`, (t) => {
    const { picture, warnings } = drawElements([{ ...offer, visible }], { item: { name: "Kruh" } });
    t.is(inkOf(picture), undefined);
    t.deepEqual(warnings, []);
  });
}

test("an element is drawn if its condition is true", (t) => {
  const { picture } = drawElements([{ ...offer, visible: "item.name == 'Kruh'" }], { item: { name: "Kruh" } });
  t.deepEqual(picture, drawElements([offer]).picture);
});

test("a text element without a value is omitted, and the value is named", (t) => {
  const { picture, warnings } = drawElements([{ ...offer, text: "${item.brand}" }]);
  t.is(inkOf(picture), undefined);
  t.deepEqual(warnings, ["${item.brand} has no value"]);
});

test("a design whose size is not the label's is not drawn", (t) => {
  const canvas = compileCanvas({ name: "test", width: 296, height: 128, background: "white", elements: [] });
  const facts = { variables: {}, store: { locale: "hr-HR", currency: "EUR" }, images: new Map() };
  for (const labelType of [
    { type: 1328, width: 296, height: 127, colors: BW },
    { type: 1328, width: 128, height: 296, colors: BW },
  ]) {
    t.throws(() => draw(canvas, { ...facts, labelType }), { instanceOf: DrawingError, message: /296 x 128/ });
  }
});

const IMAGE = "0".repeat(64);
const dot = [0, 0, 0, 255];
const hole = [0, 0, 0, 0];
const image: Element = { kind: "image", x: 1, y: 0, width: 4, height: 4, image: IMAGE, fit: "none" };
const bitmap = { width: 2, height: 2, data: Uint8Array.from([dot, hole, hole, dot].flat()) };

test("an image is centred in its area, and a transparent image shows the background", (t) => {
  const images = new Map([[IMAGE, { bitmap }]]);
  const { picture } = drawElements([box({ fill: "red" }), image], { ...small, images });
  t.deepEqual(rowsOf(picture), ["RRRRRR", "RRKRRR", "RRRKRR", "RRRRRR"]);
});

test("a missing image is reported, and the rest is drawn", (t) => {
  const { picture, errors } = drawElements([box({ fill: "red" }), image], small);
  t.deepEqual(rowsOf(picture), rowsOf(drawElements([box({ fill: "red" })], small).picture));
  t.is(errors.length, 1);
  t.regex(errors[0] ?? "", /^the image "0{60}\.\.\." does not exist$/);
});

test("the blank picture has one colour", (t) => {
  t.deepEqual(rowsOf(blankPicture({ width: 2, height: 2, colors: BW })), ["WW", "WW"]);
});

test("an image at the edge is clipped", (t) => {
  const images = new Map([[IMAGE, { bitmap }]]);
  const at = (x: number, y: number): Element => ({ ...image, x, y, width: 2, height: 2 }) as Element;
  const { picture } = drawElements([at(-1, -1), at(5, 3), at(5, -2), at(-2, 1)], { ...small, images });
  t.deepEqual(rowsOf(picture), ["KWWWWW", "WWWWWW", "WWWWWW", "WWWWWK"]);
});

test("an image is dithered only if the design requires it", (t) => {
  const grey = { width: 4, height: 4, data: Uint8Array.from(Array(16).fill([128, 128, 128, 255]).flat()) };
  const images = new Map([[IMAGE, { bitmap: grey }]]);
  const inks = (dither?: boolean) =>
    colorsIn(
      drawElements([{ ...image, ...(dither !== undefined && { dither }) } as Element], { ...small, images }).picture,
    );
  t.deepEqual([inks(), inks(false)], [["white"], ["white"]]);
  t.deepEqual(inks(true), ["black", "white"]);
});

const missing = (count: number): Element[] =>
  Array.from({ length: count }, (_, index) => ({ ...offer, text: `\${item.missing${index}}` }) as Element);

test("the same warning is reported once", (t) => {
  t.deepEqual(drawElements([...missing(1), ...missing(1)]).warnings, ["${item.missing0} has no value"]);
});

test("only the first twenty warnings are reported, and the rest are counted", (t) => {
  const { warnings } = drawElements(missing(30));
  t.is(warnings.length, 21);
  t.is(warnings.at(0), "${item.missing0} has no value");
  t.is(warnings.at(-1), "and 10 more");
});

test("drawing fills layouts and then paints them: equal filled layouts are painted once", (t) => {
  const elements = [{ ...offer, text: "${item.name}" } as Element];
  const canvas = compileCanvas({ name: "test", width: 300, height: 120, background: "white", elements });
  const labelType = { type: 1, width: 300, height: 120, colors: BW };
  const facts = { labelType, store: { locale: "hr-HR", currency: "EUR" }, images: new Map() };
  const layout = layoutOf(canvas, labelType);
  const filled = fillLayout(layout, { item: { name: "Kruh", ean: "1" } });
  t.deepEqual(
    paint(layout, filled, facts),
    draw(canvas, { ...facts, variables: { item: { name: "Kruh", ean: "2" } } }),
  );
});
