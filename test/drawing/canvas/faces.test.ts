import test from "ava";
import { addFace } from "../../../drawing/text/fonts.ts";
import { readFont } from "../../../drawing/thread/read-font.ts";
import type { TextElement } from "../../../schemas/canvas-texts.ts";
import { checkCanvas } from "../../../schemas/check-canvas.ts";
import { boldSerif, changed, otf, sans } from "../../api/fonts/files.ts";
import { drawElements, inkOf, rowsOf } from "../drawing.ts";

const [BRAND, SLIM] = ["t/demo/uploads/serif", "t/demo/uploads/slim"];
addFace(BRAND, boldSerif, 10);
addFace(SLIM, otf, 20);
const fonts = new Map([
  ["brand", { face: BRAND }],
  ["slim", { face: SLIM }],
  ["broken", { fault: "it cannot be decoded: no" }],
]);

const text = (more: Partial<TextElement> = {}): TextElement => ({
  ...{ kind: "text", x: 0, y: 0, width: 300, height: 60, font: "brand", size: 24, color: "black", text: "Kruh 500 g" },
  ...more,
});

test("text and prices use the tenant's font", (t) => {
  const price = { kind: "price" as const, x: 0, y: 60, width: 300, height: 60, size: 50, color: "black" as const };
  const drawn = (font: string) => drawElements([text({ font }), { ...price, font, value: "12.49" }], { fonts });
  const own = drawn("brand");
  t.deepEqual([own.errors, own.warnings], [[], []]);
  t.notDeepEqual(rowsOf(own.picture), rowsOf(drawn("bold").picture));
  t.notDeepEqual(rowsOf(own.picture), rowsOf(drawn("slim").picture));
  t.deepEqual(rowsOf(own.picture), rowsOf(drawn("brand").picture));
});

test("a run may use a font other than its text element's", (t) => {
  const runs = [{ text: " 1,99", font: "slim" }];
  const mixed = drawElements([text({ runs })], { fonts });
  t.deepEqual(mixed.errors, []);
  t.notDeepEqual(mixed.picture, drawElements([text({ runs: [{ text: " 1,99" }] })], { fonts }).picture);
});

for (const [font, told] of [
  ["gone", 'the font "gone" does not exist'],
  ["broken", 'the font "broken" cannot be used: it cannot be decoded: no'],
] as const)
  test(`text whose font is ${font} is reported and uses a built-in typeface`, (t) => {
    const { picture, errors } = drawElements([text({ font })], { fonts });
    t.deepEqual(errors, [told]);
    t.deepEqual(picture, drawElements([text({ font: "regular" })]).picture);
  });

test("letters that the font lacks are reported and drawn in another typeface or as a box", (t) => {
  const { warnings } = drawElements([text({ font: "slim", text: "Сок 2 l \ua500" })], { fonts });
  t.deepEqual(warnings, ['the font has no "ꔀ"', 'the font has no "С", "о", "к", so another font is used']);
});

test("text never shrinks below the font's readable size, which is reported", (t) => {
  const { warnings } = drawElements([text({ font: "slim", size: 12, text: "Kruh" })], { fonts });
  t.regex(warnings.join(), /"Kruh" is drawn at 2\d pixels because it is not legible at 12/);
  t.deepEqual(drawElements([text({ size: 12, text: "Kruh" })], { fonts }).warnings, []);
});

test("the font's letters align with the grid and keep their accents at small sizes", (t) => {
  const inkOfText = (written: string) =>
    inkOf(drawElements([text({ size: 14, text: written })], { fonts }).picture) ?? { top: 0, bottom: 0 };
  t.true(inkOfText("č").top < inkOfText("c").top);
  t.is(inkOfText("č").bottom, inkOfText("c").bottom);
});

test("a script is shaped in the tenant's font if the font supports it", (t) => {
  // Hebrew is in DejaVu Sans and not in its serif.
  addFace("t/demo/uploads/sans", sans, 8);
  const own = new Map([["sans", { face: "t/demo/uploads/sans" }]]);
  const [drawn, usual] = ["sans", "regular"].map((font) =>
    drawElements([text({ font, text: "חלב 1" })], { fonts: own }),
  );
  t.deepEqual(drawn?.warnings, []);
  t.notDeepEqual(drawn?.picture, usual?.picture);
});

test("a font's smallest readable size is measured on its own letters", (t) => {
  t.deepEqual(
    [boldSerif, otf].map((file) => readFont(file).readableFrom),
    [10, 10],
  );
});

const unreadable: [what: string, file: Buffer, told: RegExp][] = [
  [
    "no characters",
    changed(boldSerif, "cmap", (file, at) => file.fill(0, at, at + 4)),
    /character map \(cmap\) is empty or cannot be read/,
  ],
  ["lines without height", changed(boldSerif, "hhea", (file, at) => file.fill(0x80, at + 4, at + 8)), /em high/],
  [
    "a glyph that exceeds every bound",
    changed(boldSerif, "head", (file, at) => file.writeUInt16BE(16, at + 18)),
    /em (high|large)/,
  ],
];
for (const [what, file, told] of unreadable)
  test(`a font with ${what} is unreadable`, (t) => void t.throws(() => readFont(file), { message: told }));

test("a damaged font is read or refused without a crash", (t) => {
  // A fixed sequence, so that a failure can be reproduced.
  let state = 7;
  const random = (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state % below;
  };
  for (let round = 0; round < 4; round += 1) {
    const file = Buffer.from(otf);
    for (let hit = 0; hit < 200; hit += 1) file[400 + random(file.length - 400)] = random(256);
    try {
      t.true(readFont(file).readableFrom >= 8);
    } catch (error) {
      t.true(error instanceof Error);
    }
  }
});

test("a run in a tenant's font has no choice of weight", (t) => {
  const canvas = (element: TextElement) =>
    checkCanvas({ name: "x", width: 296, height: 128, background: "white", elements: [element] });
  const runs = [{ text: "!", bold: true }];
  t.deepEqual(canvas(text({ runs })), [
    { pointer: "/elements/0/runs/0/bold", detail: '"brand" has only one weight: set the run\'s own font' },
  ]);
  t.deepEqual(canvas(text({ font: "regular", runs })), []);
  t.is(canvas(text({ font: "not a name" })).length, 1);
});
