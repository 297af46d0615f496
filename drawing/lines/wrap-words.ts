import { BREAKS_ANYWHERE, scriptParts } from "./script-breaks.ts";
import { belongTogether, LETTER, NUMBER, STARTS_WITH_UNIT } from "./units.ts";

/** Width of text on one line, in em. */
export type Measure = (text: string) => number;

/** A part of the text that is not broken, with the text between it and the next part. */
export interface Word {
  text: string;
  width: number;
  /** Spaces after the word, which count only if another word follows on the line. */
  blanks: string;
  blanksWidth: number;
  /** The hyphen that a line shows if it ends here, otherwise empty. */
  ending: string;
  endingWidth: number;
  /** The number of the run that the word belongs to. Absent in text without runs. */
  run?: number;
  /** The run whose style the spaces after the word have, if it is not the word's own run. */
  blanksRun?: number;
  /** Whether a line must not end after the word, because the next run continues it. */
  isJoined?: boolean;
}

/** A displayed line, and the characters of the text from its start to the start of the next line. */
export interface Line {
  shown: string;
  source: string;
  words: readonly Word[];
}

const ZERO_WIDTH_SPACE = "\u200b";
const SOFT_HYPHEN = "\u00ad";
/** Lines break at spaces, except at no-break spaces. */
const WORDS = /((?:(?![\u00a0\u2007\u202f])\s)*(?:[\u00a0\u2007\u202f]|\S)+|\s+$)((?:(?![\u00a0\u2007\u202f])\s)*)/gu;
/** Inside a word, a line may end after a hyphen or a slash between letters, but not before a unit (`€/kg`). */
const INSIDE = new RegExp(
  `(?<=${ZERO_WIDTH_SPACE}|${SOFT_HYPHEN}|\\p{L}\\p{M}*\\p{L}\\p{M}*[-‐/](?!${STARTS_WITH_UNIT})(?=\\p{L}\\p{M}*\\p{L}))`,
  "u",
);
const MAY_BREAK_INSIDE = new RegExp(`[-‐/\\u200b\\u00ad${BREAKS_ANYWHERE}]`, "u");
const HAS_NO_BLANKS = new RegExp(`[${BREAKS_ANYWHERE}]`, "u");
const INVISIBLE = /[\u200b\u00ad]/g;

/** Returns the parts between which a paragraph may be broken into lines. */
export const wordsOf = (paragraph: string, measure: Measure): Word[] =>
  tokensOf(paragraph).flatMap(({ text, blanks }) => partsOf(text, blanks, measure));

interface Token {
  text: string;
  blanks: string;
}

/** Returns the words of a paragraph with the spaces after them. A number and its unit are one word. */
export function tokensOf(paragraph: string): Token[] {
  const tokens: Token[] = [];
  for (const [, text = "", blanks = ""] of paragraph.matchAll(WORDS)) {
    const last = tokens.at(-1);
    if (last?.blanks === " " && belongTogether(last.text, text)) {
      last.text += ` ${text}`;
      last.blanks = blanks;
    } else tokens.push({ text, blanks });
  }
  return tokens;
}

function partsOf(text: string, blanks: string, measure: Measure): Word[] {
  if (!MAY_BREAK_INSIDE.test(text)) return [wordOf(text, blanks, "", measure)];
  const apart = text.split(INSIDE);
  const parts = HAS_NO_BLANKS.test(text) ? apart.flatMap(scriptParts) : apart;
  return parts.map((part, index) => {
    const isLast = index === parts.length - 1;
    const ending = part.endsWith(SOFT_HYPHEN) && !isLast ? "-" : "";
    return wordOf(part.replace(INVISIBLE, ""), isLast ? blanks : "", ending, measure);
  });
}

const wordOf = (text: string, blanks: string, ending: string, measure: Measure): Word => ({
  text,
  width: measure(text),
  blanks,
  blanksWidth: measure(blanks),
  ending,
  endingWidth: measure(ending),
});

/** Wraps words into lines. Undefined if a word is wider than `room` (in em), or if there are more than `maxLines` lines. */
export function wrap(paragraphs: readonly (readonly Word[])[], room: number, maxLines: number): Line[] | undefined {
  const lines: Line[] = [];
  for (const words of paragraphs) {
    if (words.length === 0) lines.push({ shown: "", source: " ", words: [] });
    for (let start = 0; start < words.length; ) {
      if (lines.length >= maxLines) return undefined;
      const end = lastFitting(words, start, room);
      if (end < start) return undefined;
      lines.push(lineOf(words, start, end));
      start = end + 1;
    }
  }
  return lines.length <= maxLines ? lines : undefined;
}

/**
 * Returns the index of the last word that fits into a line beginning at `start`, with the hyphen that a break after the word
 * adds; `start - 1` if none fits.
 */
function lastFitting(words: readonly Word[], start: number, room: number): number {
  let fitting = start - 1;
  let width = 0;
  let gap = 0;
  for (let at = start; at < words.length; at += 1) {
    const word = words[at] as Word;
    width = at === start ? word.width : width + gap + word.width;
    if (width > room) break;
    if (width + word.endingWidth <= room && !word.isJoined) fitting = at;
    gap = word.blanksWidth;
  }
  return fitting;
}

function lineOf(words: readonly Word[], start: number, end: number): Line {
  let shown = "";
  let gap = "";
  for (let at = start; at <= end; at += 1) {
    const word = words[at] as Word;
    shown += gap + word.text;
    gap = word.blanks;
  }
  const source = shown + (end === words.length - 1 ? " " : gap);
  return { shown: shown + (words[end] as Word).ending, source, words: words.slice(start, end + 1) };
}

/** Breaks a word that is wider than `room`, between characters. A number is broken only if it is too wide by itself. */
export function breakWord(word: Word, room: number, measure: Measure): Word[] {
  if (word.width + word.endingWidth <= room) return [word];
  const parts: Word[] = [];
  let text = "";
  let width = 0;
  for (const atom of atomsOf(word.text, room, measure)) {
    const own = measure(atom);
    if (text !== "" && width + own > room) {
      parts.push({ ...word, text, width, blanks: "", blanksWidth: 0, ending: "", endingWidth: 0 });
      text = "";
      width = 0;
    }
    text += atom;
    width += own;
  }
  // A single character that is wider than `room` is drawn anyway.
  const last = { ...word, text, width, ending: "", endingWidth: 0 };
  return [...parts, last].map((part) => ({ ...part, width: Math.min(part.width, room) }));
}

/** The characters and numbers of a word. Here, a number may be separated from its unit. */
const WORD_ATOMS = new RegExp(`${NUMBER}|${LETTER}`, "gsu");

const atomsOf = (text: string, room: number, measure: Measure): string[] =>
  (text.match(WORD_ATOMS) ?? []).flatMap((atom) => (measure(atom) <= room ? [atom] : [...atom]));
