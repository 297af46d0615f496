/** Width of a text in one line, in em. */
export type Measure = (text: string) => number;

export interface TextArea {
  width: number;
  height: number;
  size: number;
  minimumSize: number;
  /** At most this many lines. */
  lines: number;
}

export interface FittedText {
  size: number;
  lines: string[];
  /** Whether the end is missing, and an ellipsis stands for it. */
  isCut: boolean;
}

/** A word with the blanks behind it: they count only where another word follows in the line. */
interface Word {
  text: string;
  width: number;
  blanks: string;
  blanksWidth: number;
}

const ELLIPSIS = "…";

/** Distance of two baselines. */
export const lineHeightOf = (size: number): number => Math.ceil(size * 1.17);

/**
 * Lays a text out in lines: at its size, or at the largest smaller one down to the minimum at which
 * all of it fits. What does not fit even then ends in an ellipsis. Blanks inside a line stay as they are.
 */
export function fitText(text: string, area: TextArea, measure: Measure): FittedText {
  const paragraphs = text.split("\n").map((paragraph) => wordsOf(paragraph, measure));
  const smallest = Math.min(area.size, area.minimumSize);
  for (let size = area.size; size > smallest; size -= 1) {
    const lines = wrap(paragraphs, area.width / size);
    if (lines !== undefined && lines.length <= linesAt(area, size)) return { size, lines, isCut: false };
  }
  const room = area.width / smallest;
  const broken = paragraphs.map((words) => words.flatMap((word) => breakWord(word, room, measure)));
  const lines = wrap(broken, room) ?? broken.flat().map((word) => word.text);
  const most = Math.max(1, linesAt(area, smallest));
  if (lines.length <= most) return { size: smallest, lines, isCut: false };
  const last = shorten(lines.slice(most - 1).join(" "), room, measure);
  return { size: smallest, lines: [...lines.slice(0, most - 1), last], isCut: true };
}

const linesAt = ({ lines, height }: TextArea, size: number): number =>
  Math.min(lines, 1 + Math.floor((height - size) / lineHeightOf(size)));

function wordsOf(paragraph: string, measure: Measure): Word[] {
  return [...paragraph.matchAll(/(\s*\S+|\s+$)(\s*)/gu)].map(([, text = "", blanks = ""]) => ({
    text,
    width: measure(text),
    blanks,
    blanksWidth: measure(blanks),
  }));
}

/** Lines of whole words, broken at blanks; undefined where a word is wider than the room (in em). */
function wrap(paragraphs: readonly (readonly Word[])[], room: number): string[] | undefined {
  const lines: string[] = [];
  for (const words of paragraphs) {
    let line = "";
    let width = 0;
    let gap = { text: "", width: 0 };
    for (const { text, width: own, blanks, blanksWidth } of words) {
      if (own > room) return undefined;
      if (line !== "" && width + gap.width + own > room) {
        lines.push(line);
        line = text;
        width = own;
      } else {
        line += gap.text + text;
        width += gap.width + own;
      }
      gap = { text: blanks, width: blanksWidth };
    }
    lines.push(line);
  }
  return lines;
}

/** A word that is wider than the room is broken between characters. */
function breakWord(word: Word, room: number, measure: Measure): Word[] {
  if (word.width <= room) return [word];
  const parts: Word[] = [];
  let text = "";
  let width = 0;
  for (const character of word.text) {
    const own = measure(character);
    if (text !== "" && width + own > room) {
      parts.push({ text, width, blanks: "", blanksWidth: 0 });
      text = "";
      width = 0;
    }
    text += character;
    width += own;
  }
  return [...parts, { ...word, text, width }];
}

function shorten(text: string, room: number, measure: Measure): string {
  const characters = [...text];
  while (characters.length > 0 && measure(characters.join("").trimEnd() + ELLIPSIS) > room) characters.pop();
  return characters.join("").trimEnd() + ELLIPSIS;
}
