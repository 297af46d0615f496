import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import test from "ava";
import { Blob, Buffer, Font, Face as FontFile, shape } from "harfbuzzjs";
import { fontOf } from "../../../drawing/shaping/script-fonts.ts";
import type { ScriptId } from "../../../drawing/shaping/scripts.ts";
import { type ShapedText, shapeText } from "../../../drawing/shaping/shape.ts";

const require = createRequire(import.meta.url);

/** The glyphs that HarfBuzz itself returns for a word, from left to right. */
function byHarfBuzz(file: string, word: string): number[] {
  const path = require.resolve(`@expo-google-fonts/${file}.ttf`);
  const font = new Font(new FontFile(new Blob(readFileSync(path))));
  const buffer = new Buffer();
  buffer.addText(word);
  buffer.guessSegmentProperties();
  shape(font, buffer);
  return buffer.getGlyphInfos().map(({ codepoint }) => codepoint);
}

const idsOf = ({ units }: ShapedText): number[] => units.flatMap(({ glyphs }) => glyphs.map(({ id }) => id));
const shaped = (script: ScriptId, word: string, isFromRight: boolean, locale: string): ShapedText => {
  const font = fontOf(script, false);
  if (font === undefined) throw new TypeError(`the font of ${script} is not installed`);
  return shapeText(font, word, isFromRight, locale);
};
const idOf = (script: ScriptId, letter: string): number | undefined =>
  fontOf(script, false)?.font.glyph(letter.codePointAt(0) ?? 0);

const words: [script: ScriptId, file: string, locale: string, words: string[]][] = [
  ["arabic", "noto-sans-arabic/400Regular/NotoSansArabic_400Regular", "ar-SA", ["سلام", "حليب", "خبز", "لبنة", "ٱللّٰه"]],
  ["hebrew", "noto-sans-hebrew/400Regular/NotoSansHebrew_400Regular", "he-IL", ["שלום", "חלב", "לֶחֶם"]],
  ["thai", "noto-sans-thai/400Regular/NotoSansThai_400Regular", "th-TH", ["น้ำปลา", "กุ้ง", "ที่นี่"]],
  ["devanagari", "noto-sans-devanagari/400Regular/NotoSansDevanagari_400Regular", "hi-IN", ["हिन्दी", "क्षेत्र", "प्रसिद्ध"]],
  ["japanese", "noto-sans-jp/400Regular/NotoSansJP_400Regular", "ja-JP", ["牛乳", "カップ"]],
];

for (const [script, file, locale, known] of words) {
  test(`${script}: known words have the same glyphs as in HarfBuzz, in order`, (t) => {
    for (const word of known) {
      const text = shaped(script, word, script === "arabic" || script === "hebrew", locale);
      t.deepEqual(idsOf(text), byHarfBuzz(file, word), word);
      t.deepEqual(text.missing, [], word);
    }
  });
}

test("Arabic letters join: none has the glyph of its isolated form, and a word is one picture", (t) => {
  const word = shaped("arabic", "بيت", true, "ar-SA");
  const alone = [..."بيت"].map((letter) => idOf("arabic", letter));
  t.false(idsOf(word).some((id) => alone.includes(id)));
  t.is(word.units.length, 1);
});

test("Hebrew letters run from right to left, each a separate picture", (t) => {
  const word = shaped("hebrew", "שלום", true, "he-IL");
  t.deepEqual(
    idsOf(word),
    [..."םולש"].map((letter) => idOf("hebrew", letter)),
  );
  t.is(word.units.length, 4);
});

test("in Devanagari the vowel i precedes the consonant that it is typed after", (t) => {
  const [first, second] = idsOf(shaped("devanagari", "कि", false, "hi-IN"));
  t.is(second, idOf("devanagari", "क"));
  t.not(first, second);
});

test("a Thai letter and its marks are one picture", (t) => {
  t.is(shaped("thai", "ที่นี่", false, "th-TH").units.length, 2);
});

test("a letter that the font lacks is reported", (t) => {
  t.deepEqual(shaped("hebrew", "א\u05eb", true, "he-IL").missing, ["\u05eb"]);
});
