import test from "ava";
import bidiFactory, { type Bidi } from "bidi-js";
import { directionOf, inVisualOrder } from "../../../drawing/shaping/direction.ts";

const bidi = (bidiFactory as unknown as () => Bidi)();

/** The parts of a line as they appear from left to right, without isolates, which have no ink. */
const seen = (line: string, locale: string): string[] =>
  inVisualOrder(line, directionOf(line, locale))
    .map(({ text }) => text.replace(/[\u200e\u2066\u2069]/g, "").trim())
    .filter((text) => text !== "");

test("a number in right-to-left text keeps the order of its digits and follows the word before it", (t) => {
  t.deepEqual(seen("חלב 12,90", "he-IL"), ["12,90", "חלב"]);
  t.deepEqual(seen("حليب 1.234,50", "ar-SA"), ["1.234,50", "حليب"]);
  t.deepEqual(seen("حليب ٥٠٠", "ar-SA"), ["٥٠٠", "حليب"]);
});

test("a currency sign is on the side of its number that the language requires", (t) => {
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
  test(`a quantity after a Latin name is read with that name, and after other letters separately: ${line}`, (t) =>
    t.deepEqual(seen(line, locale), parts));

test("a quantity after a Latin name is placed as the Unicode Bidirectional Algorithm requires", (t) => {
  for (const [line] of behindLatin.slice(0, 4)) {
    const reordered = bidi.getReorderedString(line, bidi.getEmbeddingLevels(line, "rtl"));
    const latin = /[A-Z].*[a-z]/.exec(line)?.[0] ?? t.fail();
    t.true(reordered.includes(latin), line);
  }
});

test("mixed text has the direction of its language, or else of its first letter", (t) => {
  t.deepEqual(seen("KitKat شوكولاتة", "ar-SA"), ["شوكولاتة", "KitKat"]);
  t.deepEqual(seen("KitKat شوكولاتة", "en-GB"), ["KitKat", "شوكولاتة"]);
  t.is(directionOf("شوكولاتة KitKat", "en-GB"), "rtl");
  t.is(directionOf("KitKat 45 g", "ar-SA"), "ltr");
});

test("two words written in the opposite direction swap places", (t) => {
  t.deepEqual(seen("מבצע Coca Cola היום", "he-IL"), ["היום", "Coca Cola", "מבצע"]);
});

test("a Latin word split at the end of a line has its hyphen on the right", (t) => {
  t.deepEqual(seen("מבצע Coca-", "he-IL"), ["Coca-", "מבצע"]);
});
