import { spendBudget } from "../../domain/expression/meter.ts";
import { ELLIPSIS } from "../lines/shorten.ts";
import { belongTogether } from "../lines/units.ts";
import { breakWord, type Line, type Measure, type Word, wordsOf } from "../lines/wrap-words.ts";
import { linesAt, type Paragraphs, type TextArea, wrapBest } from "../text/fit-text.ts";

/** Lines of text with runs. Each word has the number of its run. */
export interface FittedRuns {
  size: number;
  lines: readonly Line[];
  isCut: boolean;
  leavesArea: boolean;
}

/**
 * Lays out the parts of a text on shared lines, at the area's size or at the largest smaller size at which all of it fits. Text
 * that does not fit at the minimum size is cut after a word and ends in an ellipsis. `measures` return the width of text in the
 * style of each part, in em of the area's size. Throws BudgetError if the layout takes more steps than the current drawing may
 * use.
 */
export function fitRuns(parts: readonly string[], measures: readonly Measure[], area: TextArea): FittedRuns {
  const { hyphenate } = area;
  const ways = [
    paragraphsOf(parts, measures),
    ...(hyphenate
      ? [
          paragraphsOf(
            parts.map((part) => hyphenate(part)),
            measures,
          ),
        ]
      : []),
  ];
  const words = ways.flat().reduce((sum, { length }) => sum + length, 1);
  const minimumSize = Math.min(area.size, area.minimumSize);
  for (let size = area.size; size >= minimumSize; size -= 1) {
    spendBudget(words);
    const lines = wrapBest(ways, area.width / size, linesAt(area, size), area.isBalanced);
    if (lines !== undefined) return { size, lines, isCut: false, leavesArea: false };
  }
  const room = area.width / minimumSize;
  const maxLines = Math.max(1, linesAt(area, minimumSize));
  const broken = (ways.at(-1) ?? []).map((own) => own.flatMap((word) => brokenWord(word, room, measures)));
  const whole = wrapBest([broken], room, maxLines, false);
  const lines = whole ?? cutAtWord(broken, room, maxLines, measures);
  const isTooWide = lines.some((line) => widthOf(line) * minimumSize > area.width + 0.5);
  const leavesArea = isTooWide || linesAt(area, minimumSize) === 0;
  return { size: minimumSize, lines, isCut: whole === undefined, leavesArea };
}

/** Returns the words of all parts. Words separated only by a change of style stay together, as do a number and its unit. */
function paragraphsOf(parts: readonly string[], measures: readonly Measure[]): Word[][] {
  const paragraphs: Word[][] = [[]];
  for (const [run, part] of parts.entries()) {
    const measure = measureOf(measures, run);
    for (const [index, segment] of part.split("\n").entries()) {
      if (index > 0) paragraphs.push([]);
      const words = paragraphs.at(-1) as Word[];
      const last = words.at(-1);
      const blanks = last ? (/^ +/.exec(segment)?.[0] ?? "") : "";
      const own = wordsOf(segment.slice(blanks.length), measure).map((word) => ({ ...word, run }));
      if (last) joinRuns(last, blanks, own[0], { run, measure });
      words.push(...own);
    }
  }
  return paragraphs;
}

/** Adds the spaces at the beginning of a run to the preceding word, in the run's own style. */
function joinRuns(last: Word, blanks: string, next: Word | undefined, own: { run: number; measure: Measure }): void {
  if (blanks !== "") {
    last.blanks += blanks;
    last.blanksRun = own.run;
    last.blanksWidth = own.measure(last.blanks);
  }
  if (next === undefined) return;
  last.isJoined = last.blanks === "" || (last.blanks === " " && belongTogether(last.text, next.text));
}

/** A number is not broken, because a part of it would be a different number. */
function brokenWord(word: Word, room: number, measures: readonly Measure[]): Word[] {
  if (/\d/.test(word.text)) return [word];
  const parts = breakWord(word, room, measureOf(measures, word.run));
  return parts.map((part, index) => ({ ...part, isJoined: index === parts.length - 1 && word.isJoined === true }));
}

/** Returns lines with as many words as fit, and an ellipsis after the last one. */
function cutAtWord(paragraphs: Paragraphs, room: number, maxLines: number, measures: readonly Measure[]): Line[] {
  const all = paragraphs.flat();
  const linesOf = (count: number): readonly Line[] | undefined => {
    spendBudget(count + 1);
    const cut = all.slice(0, count);
    const last = cut.at(-1) ?? { text: "", width: 0, run: 0 };
    const endingWidth = measureOf(measures, last.run)(ELLIPSIS);
    const end = { ...last, blanks: "", blanksWidth: 0, ending: ELLIPSIS, endingWidth, isJoined: false };
    return wrapBest([[[...cut.slice(0, -1), end]]], room, maxLines, false);
  };
  let [fitting, over] = [0, all.length];
  while (over - fitting > 1) {
    const middle = (fitting + over) >> 1;
    if (linesOf(middle)) fitting = middle;
    else over = middle;
  }
  while (fitting > 0 && all[fitting - 1]?.isJoined) fitting -= 1;
  const empty = { text: ELLIPSIS, width: measureOf(measures, 0)(ELLIPSIS), run: 0 };
  const rest = { blanks: "", blanksWidth: 0, ending: "", endingWidth: 0 };
  return [...(linesOf(fitting) ?? [{ shown: ELLIPSIS, source: "", words: [{ ...empty, ...rest }] }])];
}

/** Returns the width of a line, in em. */
export const widthOf = ({ words }: Line): number =>
  words.reduce((width, word, index) => {
    return width + word.width + (index < words.length - 1 ? word.blanksWidth : word.endingWidth);
  }, 0);

function measureOf(measures: readonly Measure[], run = 0): Measure {
  const measure = measures[run];
  if (measure === undefined) throw new TypeError(`the text has no run ${run}`);
  return measure;
}
