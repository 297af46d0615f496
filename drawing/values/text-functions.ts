import type { OwnFunction } from "../../domain/expression/expression.ts";
import { searchCost } from "../../domain/expression/functions.ts";
import { notice } from "../../schemas/drawing-notice.ts";
import { inStore } from "./format-functions.ts";
import { ValueError } from "./value-error.ts";

/** Maximum length of text after replacements: more than an element can show. */
const MAX_LENGTH = 4096;

/** A word, with the digit directly before it, if any. Letters after a digit are a unit (`500 G`, `1,5L`). */
const WORD = /(?<before>\d\s?)?(?<word>\p{L}[\p{L}\p{M}'’]*)/gu;

/** Steps for a word, whose letters are changed separately. In some languages, that takes as long as a long text does. */
const WORD_STEPS = 80;

/** Functions that a design's text may call to change letters, in all scripts, by the rules of the store's language. */
export const textFunctions: readonly OwnFunction[] = [
  inStore("upper(string): string", ({ locale }, text: string) => text.toLocaleUpperCase(locale)),
  inStore("lower(string): string", ({ locale }, text: string) => text.toLocaleLowerCase(locale)),
  inStore("title(string): string", ({ locale }, text: string) => titleOf(text, locale), titleCost),
  inStore(
    "replace(string, string, string): string",
    (_, text: string, part: string, other: string) => replaced(text, part, other),
    ([text, part]) => searchCost(text, part),
  ),
];

function titleCost([text]: readonly unknown[]): number {
  return typeof text === "string" ? WORD_STEPS * (text.match(WORD)?.length ?? 0) : 0;
}

/** Acronyms of goods. In text with only capitals, nothing else distinguishes them from words. */
const ACRONYMS: ReadonlySet<string> = new Set([
  ...["XS", "XL", "XXL", "XXXL", "BIO", "UHT", "ESL", "GMO", "DHA", "CBD", "BBQ", "DIY", "MSC", "ASC"],
  ...["DOP", "DOC", "DOCG", "IGP", "AOP", "AOC", "IPA", "VSOP", "EU", "USA", "UK", "UV", "UVA", "UVB", "SPF"],
  ...["LED", "USB", "HDMI", "HD", "UHD", "TV", "DVD", "CD", "PC", "PVC", "WC", "AA", "AAA", "FFP"],
]);

/** Maximum length of an acronym in text that is not mostly in capitals. */
const MAX_ACRONYM = 4;

/** Capitalizes every word. Acronyms, and a unit after a number, stay unchanged. */
function titleOf(text: string, locale: string): string {
  const isAcronym = acronymsIn(text, locale);
  return text.replace(WORD, (_, before: string | undefined, word: string) => {
    if (before !== undefined) return before + word;
    if (isAcronym(word)) return word;
    const [first = "", ...rest] = word;
    return first.toLocaleUpperCase(locale) + rest.join("").toLocaleLowerCase(locale);
  });
}

/** Unless more than half of a text's words are in capitals, short words in capitals also count as acronyms. */
function acronymsIn(text: string, locale: string): (word: string) => boolean {
  const isCapitals = (word: string): boolean => word.length > 1 && word === word.toLocaleUpperCase(locale);
  const words = Array.from(text.matchAll(WORD), ({ groups }) =>
    groups?.before === undefined ? groups?.word : undefined,
  );
  const named = words.filter((word) => word !== undefined && word.length > 1);
  const shouted = named.filter((word) => isCapitals(word as string)).length;
  const isMixed = 2 * shouted <= named.length;
  return (word) => ACRONYMS.has(word) || (isMixed && word.length <= MAX_ACRONYM && isCapitals(word));
}

function replaced(text: string, part: string, other: string): string {
  if (part === "") throw new ValueError(notice("NOTHING_TO_REPLACE", {}));
  const parts = text.split(part);
  const length = text.length + (parts.length - 1) * (other.length - part.length);
  if (length > MAX_LENGTH) throw new ValueError(notice("RESULT_TOO_LONG", { count: length, most: MAX_LENGTH }));
  return parts.join(other);
}
