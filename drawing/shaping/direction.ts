import bidiFactory, { type Bidi } from "bidi-js";
import { mayRunFromRight } from "./scripts.ts";

export type Direction = "ltr" | "rtl";

/** Languages that are written from right to left. */
const FROM_RIGHT: ReadonlySet<string> = new Set(["ar", "ckb", "dv", "fa", "he", "ps", "sd", "ug", "ur", "yi"]);

// The package exports the function itself, but its types say that the function is the module's default export.
const createBidi = bidiFactory as unknown as () => Bidi;
const bidi = createBidi();

/**
 * Returns the direction of text. If the text has right-to-left characters, a right-to-left language decides; in other
 * languages, the first letter does.
 */
export function directionOf(text: string, locale: string): Direction {
  if (!mayRunFromRight(text)) return "ltr";
  if (FROM_RIGHT.has(locale.split("-", 1)[0] ?? "")) return "rtl";
  return (bidi.getEmbeddingLevels(text).paragraphs[0]?.level ?? 0) % 2 === 1 ? "rtl" : "ltr";
}

const NUMBER = "\\d+(?:[.,'’\\u00a0\\u202f]\\d+)*";
/**
 * A quantity with a Latin unit. After right-to-left letters its parts would change places. A number without a unit matches too:
 * otherwise, a search would fail after the number and start again at its next digit.
 */
const QUANTITY = new RegExp(
  `(?:${NUMBER}\\s?[x×]\\s?)*${NUMBER}(\\s?\\p{Script=Latin}+(?:/\\p{Script=Latin}+)?)?`,
  "gu",
);
const [ISOLATE, END] = ["\u2066", "\u2069"];
/** The end of a line after a hyphen or a slash at which a Latin word is split. The sign stays to the right of the word. */
const LATIN_END = /(?<=\p{Script=Latin}[-‐/])$/u;
const LEFT_TO_RIGHT = "\u200e";
/** Classes of characters that have their own direction. */
const STRONG: ReadonlySet<string> = new Set(["L", "R", "AL"]);

/** A part of a line in one direction. */
export interface Level {
  text: string;
  isFromRight: boolean;
}

/** Returns the parts of a line from left to right, each with its text in reading order. */
export function inVisualOrder(line: string, base: Direction): Level[] {
  if (base === "ltr" && !mayRunFromRight(line)) return [{ text: line, isFromRight: false }];
  const text = isolateQuantities(line).replace(LATIN_END, LEFT_TO_RIGHT);
  const { levels } = bidi.getEmbeddingLevels(text, base);
  const parts: { text: string; level: number }[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const [level, last] = [levels[at] as number, parts.at(-1)];
    if (last?.level === level) last.text += text[at];
    else parts.push({ text: text[at] as string, level });
  }
  return reordered(parts).map(({ text: own, level }) => ({ text: own, isFromRight: level % 2 === 1 }));
}

/** A quantity after Latin letters is read with them, like a number (UAX #9, W7). */
function isolateQuantities(line: string): string {
  let [isBehindLatin, at] = [false, 0];
  return line.replace(QUANTITY, (quantity, unit: string | undefined, from: number) => {
    if (unit === undefined) return quantity;
    const strong = [...line.slice(at, from)]
      .map((one) => bidi.getBidiCharTypeName(one))
      .filter((type) => STRONG.has(type));
    const last = strong.at(-1);
    if (last !== undefined) isBehindLatin = last === "L";
    at = from + quantity.length;
    return isBehindLatin ? quantity : ISOLATE + quantity + END;
  });
}

/** From the highest level to the lowest odd one, reverses everything at that level or above (UAX #9, L2). */
function reordered<Part extends { level: number }>(parts: readonly Part[]): Part[] {
  const ordered = [...parts];
  for (let level = Math.max(0, ...parts.map((part) => part.level)); level > 0; level -= 1) {
    for (let from = 0; from < ordered.length; from += 1) {
      let to = from;
      while (to < ordered.length && (ordered[to] as Part).level >= level) to += 1;
      if (to > from) ordered.splice(from, to - from, ...ordered.slice(from, to).reverse());
      from = to;
    }
  }
  return ordered;
}

/** Reverses text that consists of signs and spaces, and mirrors its brackets. */
export const mirrored = (text: string): string =>
  [...text]
    .reverse()
    .map((character) => bidi.getMirroredCharacter(character) ?? character)
    .join("");
