import { spendBudget } from "../../evaluator/expression/meter.ts";

/** Width of a text in one line, in em. */
export type Measure = (text: string) => number;

export interface TextArea {
  width: number;
  height: number;
  size: number;
  minimumSize: number;
  /** At most this many lines. */
  lines: number;
  /** Distance between two baselines, in em. */
  lineHeight: number;
  /** Height of a single line, above and below its baseline, in em. */
  lineExtent: number;
}

export interface FittedText {
  size: number;
  lines: string[];
  /** Whether the end is cut off and replaced by an ellipsis. */
  isCut: boolean;
  /** Whether the area is too small even for the cut text: a line is too high or a character too wide. */
  leavesArea: boolean;
}

/** A word with the blanks after it, which count only if another word follows in the line. */
interface Word {
  text: string;
  width: number;
  blanks: string;
  blanksWidth: number;
}

/** A line, and the characters between it and the next line. */
interface Line {
  text: string;
  gap: string;
}

const ELLIPSIS = "…";
/** Lines break at blanks, except at no-break spaces. */
const WORDS = /((?:(?![\u00a0\u2007\u202f])\s)*(?:[\u00a0\u2007\u202f]|\S)+|\s+$)((?:(?![\u00a0\u2007\u202f])\s)*)/gu;
/** Parts that are never broken: a number, half of which would be wrong, and a letter with its combining marks. */
const ATOMS = /\d+(?:[.,'’\u00a0\u202f]\d+)*|.\p{M}*/gsu;

/** Distance between two baselines, in pixels. */
export const lineHeightOf = (size: number, lineHeight: number): number => Math.ceil(size * lineHeight);

/**
 * Lays a text out in lines, at its size or at the largest smaller one, down to the minimum, at which all of it fits. A
 * text that does not fit at the minimum ends in an ellipsis, which never replaces a part of a number. Blanks inside a
 * line are kept. Throws BudgetError where the present drawing has tried more sizes of more words than it may.
 */
export function fitText(text: string, area: TextArea, measure: Measure): FittedText {
  const paragraphs = text.split("\n").map((paragraph) => wordsOf(paragraph, measure));
  const minimumSize = Math.min(area.size, area.minimumSize);
  const words = paragraphs.reduce((sum, { length }) => sum + length, 1);
  for (let size = largestFor(paragraphs, area); size > minimumSize; size -= 1) {
    spendBudget(words);
    const lines = wrap(paragraphs, area.width / size, linesAt(area, size));
    if (lines !== undefined) return { size, lines: lines.map((line) => line.text), isCut: false, leavesArea: false };
  }
  const { lines, isCut } = fitMinimum(paragraphs, area.width / minimumSize, linesAt(area, minimumSize), measure);
  // Half a pixel has no ink, and is more than the rounding error of a sum.
  const isTooWide = lines.some((line) => measure(line) * minimumSize > area.width + 0.5);
  return { size: minimumSize, lines, isCut, leavesArea: isTooWide || linesAt(area, minimumSize) === 0 };
}

/** At the minimum size words are broken and the end is cut off. Gives at least one line. */
function fitMinimum(
  paragraphs: readonly (readonly Word[])[],
  room: number,
  maxLines: number,
  measure: Measure,
): Pick<FittedText, "lines" | "isCut"> {
  const broken = paragraphs.map((words) => words.flatMap((word) => breakWord(word, room, measure)));
  const lines = wrap(broken, room, Number.POSITIVE_INFINITY) ?? [];
  const count = Math.max(1, maxLines);
  if (lines.length <= count) return { lines: lines.map(({ text }) => text), isCut: false };
  const rest = lines.slice(count - 1).reduce((joined, { text, gap }) => joined + text + gap, "");
  return { lines: [...lines.slice(0, count - 1).map(({ text }) => text), shorten(rest, room, measure)], isCut: true };
}

/** An upper bound for the size: the widest word, the lines and the sum of all words must fit. */
function largestFor(paragraphs: readonly (readonly Word[])[], area: TextArea): number {
  const widths = paragraphs.flatMap((words) => words.map(({ width }) => width));
  const widest = Math.max(0, ...widths);
  const total = widths.reduce((sum, width) => sum + width, 0);
  const bounds = [area.width / widest, (area.width * area.lines) / total, area.height / area.lineExtent];
  // One pixel is added, because a rounding error must not cost a size; the layout decides exactly.
  return Math.min(area.size, ...bounds.map((bound) => Math.floor(bound) + 1));
}

const linesAt = ({ lines, height, lineHeight, lineExtent }: TextArea, size: number): number =>
  Math.max(0, Math.min(lines, 1 + Math.floor((height - size * lineExtent) / lineHeightOf(size, lineHeight))));

function wordsOf(paragraph: string, measure: Measure): Word[] {
  return [...paragraph.matchAll(WORDS)].map(([, text = "", blanks = ""]) => ({
    text,
    width: measure(text),
    blanks,
    blanksWidth: measure(blanks),
  }));
}

/**
 * Wraps words into lines at blanks; undefined where a word is wider than the room (in em) or the lines are more than
 * `maxLines`.
 */
function wrap(paragraphs: readonly (readonly Word[])[], room: number, maxLines: number): Line[] | undefined {
  const lines: Line[] = [];
  for (const words of paragraphs) {
    let line = "";
    let width = 0;
    let gap = { text: "", width: 0 };
    for (const { text, width: own, blanks, blanksWidth } of words) {
      if (own > room || lines.length >= maxLines) return undefined;
      if (line !== "" && width + gap.width + own > room) {
        lines.push({ text: line, gap: gap.text });
        line = text;
        width = own;
      } else {
        line += gap.text + text;
        width += gap.width + own;
      }
      gap = { text: blanks, width: blanksWidth };
    }
    lines.push({ text: line, gap: " " });
  }
  return lines.length <= maxLines ? lines : undefined;
}

/** Breaks a word that is wider than the room between characters; a number is broken only if it is itself too wide. */
function breakWord(word: Word, room: number, measure: Measure): Word[] {
  if (word.width <= room) return [word];
  const parts: Word[] = [];
  let text = "";
  let width = 0;
  for (const atom of atomsOf(word.text, room, measure)) {
    const own = measure(atom);
    if (text !== "" && width + own > room) {
      parts.push({ text, width, blanks: "", blanksWidth: 0 });
      text = "";
      width = 0;
    }
    text += atom;
    width += own;
  }
  // A single character that is wider than the room is drawn anyway.
  return [...parts, { ...word, text, width }].map((part) => ({ ...part, width: Math.min(part.width, room) }));
}

const atomsOf = (text: string, room: number, measure: Measure): string[] =>
  (text.match(ATOMS) ?? []).flatMap((atom) => (measure(atom) <= room ? [atom] : [...atom]));

function shorten(text: string, room: number, measure: Measure): string {
  const left = room - measure(ELLIPSIS);
  let shown = "";
  let width = 0;
  for (const atom of text.match(ATOMS) ?? []) {
    width += measure(atom);
    if (width > left) break;
    shown += atom;
  }
  return shown.trimEnd() + ELLIPSIS;
}
