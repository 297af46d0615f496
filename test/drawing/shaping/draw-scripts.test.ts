import test from "ava";
import { BudgetError } from "../../../domain/expression/meter.ts";
import type { Element } from "../../../schemas/canvas.ts";
import { drawElements, inkOf, rowsOf } from "../drawing.ts";

const area = { x: 20, y: 20, width: 200, height: 60 };
const element = (text: string, more: object = {}): Element => ({
  ...{ kind: "text", ...area, font: "regular", size: 20, color: "black", text },
  ...more,
});
const draw = (text: string, locale: string, more: object = {}) =>
  drawElements([element(text, more)], { store: { locale, currency: "EUR" } });

const names: [locale: string, name: string][] = [
  ["ar-SA", "حليب كامل الدسم من المزارع الطازجة"],
  ["he-IL", "גבינה צהובה פרוסה עשרים ושמונה אחוז"],
  ["hi-IN", "प्रसिद्ध बासमती चावल और ताज़ा दूध"],
  ["th-TH", "ข้าวหอมมะลิอินทรีย์น้ำปลาแท้กุ้งแช่แข็ง"],
  ["ja-JP", "北海道産有機栽培の緑茶とカップラーメン"],
];

for (const [locale, name] of names) {
  test(`${locale}: text stays in its area, on several lines if allowed, and is shrunk or cut if it does not fit`, (t) => {
    for (const more of [
      { lines: 3 },
      { lines: 1, minimumSize: 18 },
      { width: 90, lines: 2, minimumSize: 18 },
      { width: 160, lines: 9, align: "right" },
    ]) {
      const { picture, warnings } = draw(name, locale, { ...more, font: "bold" });
      const ink = inkOf(picture);
      const right = area.x + (more.width ?? area.width);
      t.true(ink && ink.left >= area.x && ink.right <= right && ink.top >= area.y, JSON.stringify({ more, ink }));
      t.true(ink && ink.bottom <= area.y + area.height);
      const isCut = warnings.some((warning) => warning.includes("is cut"));
      t.is(isCut, more.lines < 3, `${JSON.stringify(more)} ${warnings}`);
    }
  });
}

test("text is aligned left by default, and right if its design says so, in each direction", (t) => {
  const [left, right] = [draw("שלום", "he-IL"), draw("שלום", "he-IL", { align: "right" })];
  t.true((inkOf(left.picture)?.left ?? 99) <= 22);
  t.true((inkOf(right.picture)?.right ?? 0) >= 218);
});

test("Latin words in text of another script have the same pixels as by themselves", (t) => {
  const [alone, beside] = [draw("Coca-Cola 1.5", "en-GB"), draw("Coca-Cola 1.5 牛", "ja-JP")];
  const width = (inkOf(alone.picture)?.right ?? 0) + 1;
  const crop = ({ picture }: typeof alone) => rowsOf(picture).map((row) => row.slice(0, width));
  const inked = (rows: string[]) => rows.filter((row) => /K/.test(row));
  t.deepEqual(inked(crop(beside)), inked(crop(alone)));
});

test("a script without an installed font is reported with the font's package, and is shown as boxes", (t) => {
  const { picture, warnings } = draw("新鲜牛奶", "zh-CN");
  t.deepEqual(warnings, [
    "Simplified Chinese is not installed: its characters are in the package @expo-google-fonts/noto-sans-sc",
  ]);
  t.truthy(inkOf(picture));
  t.regex(draw("우유", "ko-KR").warnings.join(), /Korean is not installed.*@expo-google-fonts\/noto-sans-kr/);
});

test("ideographs use the font of the text's language, or else an installed font", (t) => {
  t.deepEqual(draw("緑茶", "ja-JP").warnings, []);
  t.deepEqual(draw("緑茶", "de-DE").warnings, []);
  t.deepEqual(draw("緑茶", "de-DE", { locale: "ja" }).picture, draw("緑茶", "ja-JP").picture);
});

test("letters that a font lacks are never drawn without a warning", (t) => {
  t.deepEqual(draw("א\u05eb", "he-IL").warnings, ['the font has no "\u05eb"']);
  t.deepEqual(draw("牛\u{2ffff}", "ja-JP").warnings, ['the font has no "\u{2ffff}"']);
});

test("text is never drawn at a size at which letters of its script could be confused", (t) => {
  t.deepEqual(draw("牛乳", "ja-JP", { size: 10 }).warnings, [
    '"牛乳" is drawn at 14 pixels because it is not legible at 10',
  ]);
  for (const [font, size] of [
    ["regular", 18],
    ["bold", 16],
  ] as const) {
    const told = (more: object) => draw("น้ำปลา", "th-TH", { font, ...more }).warnings;
    t.deepEqual(told({ size: 12 }), [`"น้ำปลา" is drawn at ${size} pixels because it is not legible at 12`]);
    const leftOut = `"น้ำปลา" is left out: it does not fit at ${size} pixels, and is not legible below that size`;
    t.deepEqual(told({ size: 12, height: 14 }), [leftOut]);
    t.deepEqual(told({ size }), []);
  }
});

test("a price uses its script's currency sign, and its digits are 0 to 9", (t) => {
  const price = { kind: "price", ...area, font: "bold", size: 48, color: "black", value: "12.5" } as const;
  const bySign = drawElements([price], { store: { locale: "ar-SA", currency: "SAR" } });
  const byCode = drawElements([{ ...price, currency: "code" }], { store: { locale: "ar-SA", currency: "SAR" } });
  t.deepEqual(bySign.warnings, []);
  t.notDeepEqual(bySign.picture, byCode.picture);
  t.deepEqual(drawElements([{ ...price, value: "مجانا" }]).warnings, [
    'the price "مجانا" is not a number and is shown as sent',
  ]);
});

test("text with more letters than a label can show exceeds the budget, whatever is cached", (t) => {
  const ideographs = Array.from({ length: 4000 }, (_, index) => String.fromCodePoint(0x4e00 + index)).join("");
  const small = { x: 0, y: 0, width: 300, height: 120, size: 14, lines: 20 };
  const many = Array.from({ length: 60 }, () => element(ideographs, small));
  for (let round = 0; round < 2; round += 1) {
    t.throws(() => drawElements(many, { store: { locale: "ja-JP", currency: "JPY" } }), { instanceOf: BudgetError });
  }
});
