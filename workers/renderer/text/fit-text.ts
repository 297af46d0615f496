/** Width of a text in one line, in em. */
export type Measure = (text: string) => number;

export interface TextArea {
  width: number;
  height: number;
  size: number;
  minimumSize: number;
  /** At most this many lines. */
  lines: number;
  /** Distance of two baselines, in em. */
  lineHeight: number;
  /** Height of a line by itself, above and below its baseline, in em. */
  lineExtent: number;
}

export interface FittedText {
  size: number;
  lines: string[];
  /** Whether the end is missing, and an ellipsis stands for it. */
  isCut: boolean;
  /** Whether the area is too small for so much as this: a line is higher, or a character wider. */
  leavesArea: boolean;
}

/** A word with the blanks behind it: they count only where another word follows in the line. */
interface Word {
  text: string;
  width: number;
  blanks: string;
  blanksWidth: number;
}

/** A line, and what the text has between it and the next. */
interface Line {
  text: string;
  gap: string;
}

const ELLIPSIS = "…";
/** A line ends at a blank, but for those that are made to hold words together. */
const WORDS = /((?:(?![\u00a0\u2007\u202f])\s)*(?:[\u00a0\u2007\u202f]|\S)+|\s+$)((?:(?![\u00a0\u2007\u202f])\s)*)/gu;
/** What is never divided: a number (half of one would lie), and a letter with the marks on it. */
const ATOMS = /\d+(?:[.,'’\u00a0\u202f]\d+)*|.\p{M}*/gsu;

/** Distance of two baselines in pixels. */
export const lineHeightOf = (size: number, lineHeight: number): number => Math.ceil(size * lineHeight);

/**
 * Lays a text out in lines: at its size, or at the largest smaller one down to the minimum at which all of it fits. What
 * does not fit even then ends in an ellipsis, which never stands for a part of a number. Blanks inside a line stay as
 * they are.
 */
export function fitText(text: string, area: TextArea, measure: Measure): FittedText {
  const paragraphs = text.split("\n").map((paragraph) => wordsOf(paragraph, measure));
  const smallest = Math.min(area.size, area.minimumSize);
  for (let size = largestFor(paragraphs, area); size > smallest; size -= 1) {
    const lines = wrap(paragraphs, area.width / size, linesAt(area, size));
    if (lines !== undefined) return { size, lines: lines.map((line) => line.text), isCut: false, leavesArea: false };
  }
  const { lines, isCut } = fitSmallest(paragraphs, area.width / smallest, linesAt(area, smallest), measure);
  // Half a pixel is no ink, and more than the rounding of a sum.
  const isTooWide = lines.some((line) => measure(line) * smallest > area.width + 0.5);
  return { size: smallest, lines, isCut, leavesArea: isTooWide || linesAt(area, smallest) === 0 };
}

/** At the smallest size words are broken, and the end is left away. There is always one line. */
function fitSmallest(
  paragraphs: readonly (readonly Word[])[],
  room: number,
  most: number,
  measure: Measure,
): Pick<FittedText, "lines" | "isCut"> {
  const broken = paragraphs.map((words) => words.flatMap((word) => breakWord(word, room, measure)));
  const lines = wrap(broken, room, Number.POSITIVE_INFINITY) ?? [];
  const kept = Math.max(1, most);
  if (lines.length <= kept) return { lines: lines.map(({ text }) => text), isCut: false };
  const rest = lines.slice(kept - 1).reduce((joined, { text, gap }) => joined + text + gap, "");
  return { lines: [...lines.slice(0, kept - 1).map(({ text }) => text), shorten(rest, room, measure)], isCut: true };
}

/** No size above this one can hold the text: its widest word, its lines and all of its words need room. */
function largestFor(paragraphs: readonly (readonly Word[])[], area: TextArea): number {
  const widths = paragraphs.flatMap((words) => words.map(({ width }) => width));
  const widest = Math.max(0, ...widths);
  const all = widths.reduce((sum, width) => sum + width, 0);
  const bounds = [area.width / widest, (area.width * area.lines) / all, area.height / area.lineExtent];
  // A word more than fits is found out by laying out; a rounding error here must not cost a size.
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

/** Lines of whole words, broken at blanks; undefined where a word is wider than the room (in em), or lines are too many. */
function wrap(paragraphs: readonly (readonly Word[])[], room: number, most: number): Line[] | undefined {
  const lines: Line[] = [];
  for (const words of paragraphs) {
    let line = "";
    let width = 0;
    let gap = { text: "", width: 0 };
    for (const { text, width: own, blanks, blanksWidth } of words) {
      if (own > room || lines.length >= most) return undefined;
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
  return lines.length <= most ? lines : undefined;
}

/** A word that is wider than the room is broken between characters, and inside a number only where it is too wide itself. */
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
  // One character may be wider than the room; it is drawn all the same.
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
