import test from "ava";
import { CanvasDesign } from "../../schemas/canvas.ts";
import { canvasLimits } from "../../schemas/canvas-parts.ts";
import { checkCanvas } from "../../schemas/check-canvas.ts";
import { compileCheck } from "../../schemas/validate.ts";

const area = { x: 0, y: 0, width: 10, height: 10 };
const type = { font: "bold", size: 12, color: "black" };
const text = { kind: "text", ...area, ...type, text: "a" };
const layout = { width: 100, height: 20, background: "white" };
const canvas = (...elements: unknown[]) => ({ name: "shelf", ...layout, elements });

const good: [what: string, element: object][] = [
  ["text", text],
  ["text with all of its fields", { ...text, minimumSize: 8, align: "center", verticalAlign: "middle", lines: 3 }],
  ["text that must be complete, with a set line spacing", { ...text, whole: true, lineHeight: 130, visible: "true" }],
  ["a price", { kind: "price", ...area, ...type, value: "${item.price}" }],
  ["a price in parts", { kind: "price", ...area, ...type, value: "1", decimalsPercent: 40, currency: "code" }],
  [
    "a price as an earlier release stored it",
    { kind: "price", ...area, ...type, value: "1", currencyPercent: 20, struck: true },
  ],
  [
    "a price with dashes",
    { kind: "price", ...area, ...type, value: "1", zeroDecimals: "dash", separator: ".", decimals: 2 },
  ],
  [
    "a price in another country's format",
    { kind: "price", ...area, ...type, value: "1", locale: "de-CH", currencyCode: "CHF" },
  ],
  [
    "a struck price in its own colour",
    { kind: "price", ...area, ...type, value: "1", struck: "diagonal", struckColor: "red" },
  ],
  [
    "a price in two currencies",
    {
      kind: "price",
      ...area,
      ...type,
      value: "1",
      currencyPosition: "after",
      second: { currencyCode: "BGN", rate: "1.95583", position: "beside", percent: 50 },
    },
  ],
  ["a price without a separator", { kind: "price", ...area, ...type, value: "1", separator: "none" }],
  ["a box", { kind: "box", ...area, fill: ["red", "black"], stroke: "black", thickness: 2, radius: 4 }],
  ["a line", { kind: "line", ...area, color: "black", thickness: 3 }],
  ["an image", { kind: "image", ...area, image: "a".repeat(64), dither: true }],
  ...["ean13", "ean8", "upca", "code128", "gs1-128", "code39", "itf14", "databar", "databar-expanded"].map(
    (kind): [string, object] => [kind, { kind, ...area, value: "1", text: false, smallestModule: 1 }],
  ),
  ["a QR code", { kind: "qr", ...area, value: "1", errorCorrection: "H" }],
  ["an EAN between guard bars", { kind: "ean8", ...area, value: "1", guardBars: true, textSize: 12, align: "left" }],
  ["a right-aligned DataMatrix", { kind: "datamatrix", ...area, value: "1", align: "right" }],
  ["a GS1 DataMatrix", { kind: "gs1-datamatrix", ...area, value: "(01)1" }],
];

for (const [what, element] of good) {
  test(`${what} is an element`, (t) => {
    t.deepEqual(checkCanvas(canvas(element)), []);
    t.deepEqual(compileCheck(CanvasDesign)(canvas(element)), []);
  });
}

const bad: [what: string, element: unknown, pointer: string, detail: RegExp][] = [
  ["without a kind", area, "/elements/0/kind", /missing/],
  ["of an unknown kind", { ...area, kind: "circle" }, "/elements/0/kind", /one of text, price.*not "circle"/],
  ["that is not an object", "text", "/elements/0", /must be an object/],
  ["with a font of a billion pixels", { ...text, size: 1e9 }, "/elements/0/size", /at most 1024.*1000000000/],
  ["with a font of 3 pixels", { ...text, size: 3 }, "/elements/0/size", /at least 4/],
  ["with a fraction of a pixel", { ...text, x: 0.5 }, "/elements/0/x", /integer/],
  ["with NaN", { ...text, x: Number.NaN }, "/elements/0/x", /integer/],
  ["with infinity", { ...text, width: Number.POSITIVE_INFINITY }, "/elements/0/width", /integer/],
  ["with -0.0000001", { ...text, y: -1e-7 }, "/elements/0/y", /integer/],
  ["far outside", { ...text, x: -5000 }, "/elements/0/x", /-4096/],
  ["without width", { ...text, width: 0 }, "/elements/0/width", /at least 1/],
  ["with a negative height", { ...text, height: -1 }, "/elements/0/height", /at least 1/],
  ["with a number in place of text", { ...text, text: 5 }, "/elements/0/text", /must be a string/],
  ["with text that is too long", { ...text, text: "a".repeat(4097) }, "/elements/0/text", /4096/],
  ["with a condition that is too long", { ...text, visible: "a".repeat(4097) }, "/elements/0/visible", /4096/],
  ["in a colour that no label has", { ...text, color: "pink" }, "/elements/0/color", /none of the allowed forms/],
  ["without a colour", { ...text, color: [] }, "/elements/0/color", /none of the allowed forms/],
  [
    "with decimals indistinguishable from the integer",
    { kind: "price", ...area, ...type, value: "1", separator: "none", decimalsPercent: 80 },
    "/elements/0/decimalsPercent",
    /at most 70 percent.*not 80/,
  ],
  [
    "with an invalid locale",
    { kind: "price", ...area, ...type, value: "1", locale: "german" },
    "/elements/0/locale",
    /language tag/,
  ],
  [
    "with an invalid rate",
    { kind: "price", ...area, ...type, value: "1", second: { currencyCode: "BGN", rate: "1,95583" } },
    "/elements/0/second/rate",
    /decimal number/,
  ],
  [
    "with guard bars that its code does not have",
    { kind: "itf14", ...area, value: "1", guardBars: true },
    "/elements/0/guardBars",
    /no guard bars; only ean13, ean8 and upca have them/,
  ],
  [
    "with an image by its URL",
    { kind: "image", ...area, image: "https://a.b/c.png" },
    "/elements/0/image",
    /not a valid image name/,
  ],
];

for (const [what, element, pointer, detail] of bad) {
  test(`an element ${what} is refused with its path`, (t) => {
    const [fault, ...more] = checkCanvas(canvas(element));
    t.deepEqual(more, []);
    t.is(fault?.pointer, pointer);
    t.regex(fault?.detail ?? "", detail);
  });
}

test("every fault is reported, including faults in variants", (t) => {
  const wrong = { ...text, size: 1, lines: 0 };
  const faults = checkCanvas({ ...canvas(wrong), variants: [{ ...layout, elements: [text, wrong] }] });
  t.deepEqual(faults.map(({ pointer }) => pointer).toSorted(), [
    "/elements/0/lines",
    "/elements/0/size",
    "/variants/0/elements/1/lines",
    "/variants/0/elements/1/size",
  ]);
});

const designs: [what: string, design: unknown, pointer: string, detail: RegExp][] = [
  ["no value", undefined, "", /object/],
  ["a list instead of an object", [], "", /object/],
  ["no elements", { name: "a", ...layout }, "/elements", /missing/],
  ["no size", { name: "a", background: "white", elements: [] }, "/width", /missing/],
  ["no area", { ...canvas(), width: 0 }, "/width", /at least 1/],
  ["a label of a million pixels", { ...canvas(), width: 1e6 }, "/width", /4096/],
  ["a variant without elements", { ...canvas(), variants: [layout] }, "/variants/0/elements", /missing/],
  [
    "a later version",
    { ...canvas(), schemaVersion: 2 },
    "/schemaVersion",
    /schemaVersion 2, but this server supports versions up to 1/,
  ],
  ["a version that is not a number", { ...canvas(), schemaVersion: "1" }, "/schemaVersion", /must be a number/],
  ["a hundred thousand elements", canvas(...Array(100_000).fill(text)), "/elements", /at most 200.*not 100000/],
  ["a hundred thousand invalid elements", canvas(...Array(100_000).fill(0)), "/elements", /at most 200/],
  [
    "a variant with too many elements",
    {
      ...canvas(),
      variants: [
        { ...layout, elements: [] },
        { ...layout, elements: Array(201).fill(text) },
      ],
    },
    "/variants/1/elements",
    /at most 200/,
  ],
  [
    "too many variants",
    { ...canvas(), variants: Array(21).fill({ ...layout, elements: [] }) },
    "/variants",
    /at most 20/,
  ],
  [
    "too many elements in total",
    { ...canvas(text), variants: Array(10).fill({ ...layout, elements: Array(100).fill(text) }) },
    "",
    /at most 1000 elements in total, not 1001/,
  ],
  [
    "images that need too much memory",
    canvas(...Array(2).fill({ kind: "image", ...area, width: 4096, height: 512, image: "a".repeat(64) })),
    "",
    /at most 4000000 pixels in total, not 4194304/,
  ],
];

for (const [what, design, pointer, detail] of designs) {
  test(`a design is refused: ${what}`, (t) => {
    const [fault] = checkCanvas(design);
    t.is(fault?.pointer, pointer);
    t.regex(fault?.detail ?? "", detail);
  });
}

test("a design may state its schema version, and use everything that the limits allow", (t) => {
  t.deepEqual(checkCanvas({ ...canvas(...Array(canvasLimits.elements).fill(text)), schemaVersion: 1 }), []);
});
