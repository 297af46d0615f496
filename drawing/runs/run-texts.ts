import type { Line } from "../lines/wrap-words.ts";
import { mayRunFromRight } from "../shaping/scripts.ts";

/** A part of a line in the style of one run. */
export interface RunText {
  run: number;
  text: string;
}

/** Returns the parts of a line from left to right. */
export function runTexts(line: Line, isFromRight: boolean): RunText[] {
  const texts = wordsAndBlanks(line);
  return isFromRight ? fromRight(texts) : joined(texts);
}

const wordsAndBlanks = ({ words }: Line): RunText[] =>
  words.flatMap(({ run = 0, text, blanks, blanksRun = run, ending }, index) => {
    if (index === words.length - 1) return [{ run, text: text + ending }];
    return [{ run, text }, ...(blanks === "" ? [] : [{ run: blanksRun, text: blanks }])];
  });

/** Merges adjacent parts of the same run. */
function joined(texts: readonly RunText[]): RunText[] {
  const parts: RunText[] = [];
  for (const { run, text } of texts) {
    const last = parts.at(-1);
    if (last?.run === run) last.text += text;
    else parts.push({ run, text });
  }
  return parts;
}

/** In a right-to-left line, consecutive left-to-right words keep their order. */
function fromRight(texts: readonly RunText[]): RunText[] {
  const groups: RunText[][] = [];
  for (const part of texts) {
    const [before = [], blank = []] = groups.slice(-2);
    const last = groups.at(-1) ?? [];
    if (isOther([part]) && isBlank(blank) && isOther(before)) groups.splice(-2, 2, [...before, ...blank, part]);
    else if (isOther([part]) && isOther(last)) last.push(part);
    else groups.push([part]);
  }
  return groups.reverse().flat();
}

const isBlank = (group: readonly RunText[]): boolean => group.every(({ text }) => text.trim() === "");
const isOther = (group: readonly RunText[]): boolean =>
  !isBlank(group) && !group.some(({ text }) => mayRunFromRight(text));
