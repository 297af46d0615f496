import { IDEOGRAPHS, THAI } from "../shaping/scripts.ts";
import { NUMBER, UNITS_WITHOUT_BLANKS } from "./units.ts";

/** Finds words in Thai, which has no spaces between them, with the dictionary of Node.js. */
const thaiWords = new Intl.Segmenter("th", { granularity: "word" });

/** Characters of scripts in which a line may end without a space, for a character class of a regular expression. */
export const BREAKS_ANYWHERE = IDEOGRAPHS + THAI;

/** A number with its unit, Thai, an ideograph with its marks, or anything else. */
const PARTS = new RegExp(
  `${NUMBER}(?:${UNITS_WITHOUT_BLANKS})?|[${THAI}]+|[${IDEOGRAPHS}]\\p{M}*|[^${BREAKS_ANYWHERE}\\d]+`,
  "gu",
);
const IS_THAI = new RegExp(`^[${THAI}]`, "u");
/** Signs that never begin a line: closing signs, marks of length and repetition, and small kana. */
const NOT_AT_START =
  /^[\p{Pe}\p{Pf}\p{Po}\p{M}ー々ゝゞヽヾ〜～ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶㇰ-ㇿฯๆ％°℃)\]}]/u;
/** Signs that never end a line: opening signs, and the digits of a number, because its counter follows. */
const NOT_AT_END = /[\p{Ps}\p{Pi}\p{Nd}¥￥＄$€£฿#＃]$/u;

/** Splits text without spaces, as in Chinese, Japanese and Thai, into parts between which a line may end. */
export function scriptParts(text: string): string[] {
  const parts: string[] = [];
  for (const [part] of text.matchAll(PARTS)) {
    for (const piece of IS_THAI.test(part) ? wordsOfThai(part) : [part]) {
      const last = parts.at(-1);
      if (last !== undefined && (NOT_AT_START.test(piece) || NOT_AT_END.test(last))) parts[parts.length - 1] += piece;
      else parts.push(piece);
    }
  }
  return parts;
}

const wordsOfThai = (text: string): string[] => Array.from(thaiWords.segment(text), ({ segment }) => segment);
