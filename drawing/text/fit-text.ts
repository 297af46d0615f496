import { spendBudget } from "../../domain/expression/meter.ts";
import { type EllipsisPlace, shorten } from "../lines/shorten.ts";
import { breakWord, type Line, type Measure, type Word, wordsOf, wrap } from "../lines/wrap-words.ts";

export interface TextArea {
  width: number;
  height: number;
  size: number;
  minimumSize: number;
  /** Maximum number of lines. */
  lines: number;
  /** Distance between two baselines, in em. */
  lineHeight: number;
  /** Height of a single line above and below its baseline, in em. */
  lineExtent: number;
  /** Inserts soft hyphens into text. Absent if words are not hyphenated. */
  hyphenate?: ((text: string) => string) | undefined;
  /** Whether lines are made about equally long. */
  isBalanced?: boolean | undefined;
  /** Where text that does not fit is cut. By default, after any letter. */
  ellipsis?: EllipsisPlace | undefined;
}

export interface FittedText {
  size: number;
  lines: string[];
  /** Whether a part is cut out and replaced by an ellipsis. */
  isCut: boolean;
  /** Whether the area is too small even for the cut text, because a line is too tall or a character too wide. */
  leavesArea: boolean;
}

/** Returns the distance between two baselines, in pixels. */
export const lineHeightOf = (size: number, lineHeight: number): number => Math.ceil(size * lineHeight);

/**
 * Lays out text in lines, at its size or, if it does not fit, at the largest size at which it does, down to the minimum. Words
 * are hyphenated before the size is reduced. Text that does not fit at the minimum has an ellipsis, which never replaces a part
 * of a number. Spaces inside a line are kept. Throws BudgetError if the layout takes more steps than the current drawing may
 * use.
 */
export function fitText(text: string, area: TextArea, measure: Measure): FittedText {
  const paragraphsOf = (source: string) => source.split("\n").map((paragraph) => wordsOf(paragraph, measure));
  const ways = [paragraphsOf(text), ...(area.hyphenate ? [paragraphsOf(area.hyphenate(text))] : [])];
  const minimumSize = Math.min(area.size, area.minimumSize);
  const words = ways.flat().reduce((sum, { length }) => sum + length, 1);
  for (let size = largestFor(ways.at(-1) ?? [], area); size > minimumSize; size -= 1) {
    spendBudget(words);
    const lines = wrapBest(ways, area.width / size, linesAt(area, size), area.isBalanced);
    if (lines !== undefined) return { size, lines: textsOf(lines), isCut: false, leavesArea: false };
  }
  const { lines, isCut } = fitMinimum(text, ways, area, minimumSize, measure);
  // A tolerance of half a pixel contains no ink, and exceeds the rounding error of a sum.
  const isTooWide = lines.some((line) => measure(line) * minimumSize > area.width + 0.5);
  return { size: minimumSize, lines, isCut, leavesArea: isTooWide || linesAt(area, minimumSize) === 0 };
}

export type Paragraphs = readonly (readonly Word[])[];

const textsOf = (lines: readonly Line[]): string[] => lines.map(({ shown }) => shown);

/** Returns the lines of the first way of hyphenating that makes the text fit. Undefined if none does. */
export function wrapBest(
  ways: readonly Paragraphs[],
  room: number,
  maxLines: number,
  isBalanced: boolean | undefined,
): readonly Line[] | undefined {
  for (const paragraphs of ways) {
    const lines = wrap(paragraphs, room, maxLines);
    if (lines !== undefined) return isBalanced ? balanced(paragraphs, room, lines) : lines;
  }
  return undefined;
}

/** Number of halvings after which the width of balanced lines is known to less than a pixel. */
const BALANCE_ROUNDS = 12;

/** Wraps into the same number of lines at the narrowest possible width, so that they are about equally long. */
function balanced(paragraphs: Paragraphs, room: number, lines: readonly Line[]): readonly Line[] {
  let [narrow, wide, best] = [0, room, lines];
  for (let round = 0; round < BALANCE_ROUNDS; round += 1) {
    spendBudget(lines.length);
    const middle = (narrow + wide) / 2;
    const found = wrap(paragraphs, middle, lines.length);
    if (found === undefined) narrow = middle;
    else [wide, best] = [middle, found];
  }
  return best;
}

/** At the minimum size, breaks words and cuts what does not fit. Returns at least one line. */
function fitMinimum(
  text: string,
  ways: readonly Paragraphs[],
  area: TextArea,
  size: number,
  measure: Measure,
): Pick<FittedText, "lines" | "isCut"> {
  const room = area.width / size;
  const maxLines = Math.max(1, linesAt(area, size));
  const whole = wrapBest(ways, room, maxLines, area.isBalanced);
  if (whole) return { lines: textsOf(whole), isCut: false };
  const brokenOf = (paragraphs: Paragraphs) =>
    paragraphs.map((words) => words.flatMap((word) => breakWord(word, room, measure)));
  const lines = wrap(brokenOf(ways.at(-1) ?? []), room, Number.POSITIVE_INFINITY) ?? [];
  if (lines.length <= maxLines) return { lines: textsOf(lines), isCut: false };
  const linesOf = (cut: string) => {
    const found = wrap(brokenOf([wordsOf(cut, measure)]), room, maxLines);
    return found && textsOf(found);
  };
  return { lines: shorten({ text, lines, maxLines, place: area.ellipsis, linesOf, room, measure }), isCut: true };
}

/** Returns an upper bound for the size: the widest word, the lines and the sum of all words must fit. */
function largestFor(paragraphs: Paragraphs, area: TextArea): number {
  const widths = paragraphs.flatMap((words) => words.map(({ width }) => width));
  const widest = Math.max(0, ...widths);
  const total = widths.reduce((sum, width) => sum + width, 0);
  const bounds = [area.width / widest, (area.width * area.lines) / total, area.height / area.lineExtent];
  // Adds one pixel, so that a rounding error does not exclude a size. The layout then decides exactly.
  return Math.min(area.size, ...bounds.map((bound) => Math.floor(bound) + 1));
}

export const linesAt = ({ lines, height, lineHeight, lineExtent }: TextArea, size: number): number =>
  Math.max(0, Math.min(lines, 1 + Math.floor((height - size * lineExtent) / lineHeightOf(size, lineHeight))));
