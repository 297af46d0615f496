import test from "ava";
import bidiFactory, { type Bidi } from "bidi-js";
import { directionOf, inVisualOrder } from "../../../drawing/shaping/direction.ts";

const bidi = (bidiFactory as unknown as () => Bidi)();

/** The parts of a line from left to right, as they are read; isolates, which have no ink, are left away. */
const seen = (line: string, locale: string): string[] =>
  inVisualOrder(line, directionOf(line, locale))
    .map(({ text }) => text.replace(/[\u200e\u2066\u2069]/g, "").trim())
    .filter((text) => text !== "");

test("a number within a text from right to left keeps the order of its digits, and stands behind the word before it", (t) => {
  t.deepEqual(seen("חלב 12,90", "he-IL"), ["12,90", "חלב"]);
  t.deepEqual(seen("حليب 1.234,50", "ar-SA"), ["1.234,50", "حليب"]);
  t.deepEqual(seen("حليب ٥٠٠", "ar-SA"), ["٥٠٠", "حليب"]);
});

test("a sign of a currency stands on that side of its number on which the language has it", (t) => {
  t.deepEqual(seen("12.90 ₪", "he-IL"), ["12.90 ₪"]);
  t.deepEqual(seen("חלב 12.90 ₪", "he-IL"), ["₪", "12.90", "חלב"]);
});

test("a quantity with a Latin unit stays together in its own order", (t) => {
  t.deepEqual(seen("חלב 6 x 0,5 l טרי", "he-IL"), ["טרי", "6 x 0,5 l", "חלב"]);
  t.deepEqual(seen("خبز 500 g طازج", "ar-SA"), ["طازج", "500 g", "خبز"]);
});

const behindLatin: [line: string, locale: string, parts: string[]][] = [
  ["شوكولاتة KitKat 45 g", "ar-SA", ["KitKat 45 g", "شوكولاتة"]],
  ["שוקולד KitKat 45 g טרי", "he-IL", ["טרי", "KitKat 45 g", "שוקולד"]],
  ["שתייה Coca-Cola 6 x 0,5 l", "he-IL", ["Coca-Cola 6 x 0,5 l", "שתייה"]],
  ["שתייה Coca-Cola, 1.5 l", "he-IL", ["Coca-Cola, 1.5 l", "שתייה"]],
  ["KitKat שוקולד 45 g", "he-IL", ["45 g", "שוקולד", "KitKat"]],
  ["KitKat 45 g שוקולד 90 g", "he-IL", ["90 g", "שוקולד", "KitKat 45 g"]],
  ["חלב 1 l 500 g", "he-IL", ["500 g", "1 l", "חלב"]],
  ["45 g KitKat", "he-IL", ["45 g KitKat"]],
];
for (const [line, locale, parts] of behindLatin)
  test(`a quantity behind a Latin name is read on with it, behind other letters it stands for itself: ${line}`, (t) =>
    t.deepEqual(seen(line, locale), parts));

test("a quantity behind a Latin name stands where the Unicode Bidirectional Algorithm puts it", (t) => {
  for (const [line] of behindLatin.slice(0, 4)) {
    const reordered = bidi.getReorderedString(line, bidi.getEmbeddingLevels(line, "rtl"));
    const latin = /[A-Z].*[a-z]/.exec(line)?.[0] ?? t.fail();
    t.true(reordered.includes(latin), line);
  }
});

test("the direction of a text that mixes both is that of its language, else that of its first letter", (t) => {
  t.deepEqual(seen("KitKat شوكولاتة", "ar-SA"), ["شوكولاتة", "KitKat"]);
  t.deepEqual(seen("KitKat شوكولاتة", "en-GB"), ["KitKat", "شوكولاتة"]);
  t.is(directionOf("شوكولاتة KitKat", "en-GB"), "rtl");
  t.is(directionOf("KitKat 45 g", "ar-SA"), "ltr");
});

test("two words in the other direction change places", (t) => {
  t.deepEqual(seen("מבצע Coca Cola היום", "he-IL"), ["היום", "Coca Cola", "מבצע"]);
});

test("a Latin word that is parted at the end of a line has its hyphen at its right", (t) => {
  t.deepEqual(seen("מבצע Coca-", "he-IL"), ["Coca-", "מבצע"]);
});
