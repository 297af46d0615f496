import { ATOMS, NET_CONTENT } from "./units.ts";
import { type Line, type Measure, tokensOf } from "./wrap-words.ts";

export const ELLIPSIS = "…";

/** Where text that does not fit is cut: after any letter, after a word, or in the middle, which keeps the end. */
export type EllipsisPlace = "character" | "word" | "middle";

/** Text that needs more lines than allowed. */
interface Overlong {
  text: string;
  lines: readonly Line[];
  maxLines: number;
  /** By default, after any letter. */
  place: EllipsisPlace | undefined;
  /** Wraps text into lines; undefined if there are too many. */
  linesOf(cut: string): string[] | undefined;
  room: number;
  measure: Measure;
}

/** Cuts text to the maximum number of lines: at `place` or, if not even one word fits, after any letter. */
export function shorten({ text, lines, maxLines, place = "character", linesOf, room, measure }: Overlong): string[] {
  const cut = place === "character" ? undefined : shortenText(text.replaceAll("\n", " "), place, linesOf);
  if (cut) return cut;
  const rest = lines.slice(maxLines - 1).reduce((joined, { source }) => joined + source, "");
  return [...lines.slice(0, maxLines - 1).map(({ shown }) => shown), shortenLine(rest, room, measure)];
}

/** Returns the characters that fit into a line before an ellipsis. */
function shortenLine(text: string, room: number, measure: Measure): string {
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

/**
 * Returns the longest cut text that fits, cut at a word or in the middle. Undefined if none does. `linesOf` wraps text into
 * lines, or returns undefined if there are too many.
 */
function shortenText(
  text: string,
  place: "word" | "middle",
  linesOf: (cut: string) => string[] | undefined,
): string[] | undefined {
  const tail = place === "middle" ? tailOf(text) : "";
  const head = text.slice(0, text.length - tail.length).trimEnd();
  const units = place === "word" ? tokensOf(head).map(({ text, blanks }) => text + blanks) : (head.match(ATOMS) ?? []);
  const cutAfter = (count: number) =>
    linesOf(units.slice(0, count).join("").trimEnd() + ELLIPSIS + (tail && ` ${tail}`));
  let [fitting, over] = [0, units.length];
  // A cut in the middle may leave only the end. A cut at a word leaves at least one word.
  let best = place === "middle" && over > 0 ? cutAfter(0) : undefined;
  while (over - fitting > 1) {
    const middle = (fitting + over) >> 1;
    const lines = cutAfter(middle);
    if (lines === undefined) over = middle;
    else [fitting, best] = [middle, lines];
  }
  return best;
}

/**
 * Number of characters that are searched for a net content. It is limited because the search starts again at each digit of a
 * text.
 */
const MAX_NET_CONTENT = 64;

/** Returns the part at the end of a text that must be kept: its net content, otherwise its last word. */
function tailOf(text: string): string {
  const tail = NET_CONTENT.exec(text.slice(-MAX_NET_CONTENT))?.[0] ?? text.trim().split(/\s+/).at(-1) ?? "";
  return tail.trim();
}
