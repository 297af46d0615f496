import { isApostrophied, marksOver } from "./compose-letter.ts";

/** Added to the advance of ď, ľ, ť and Ľ, in em, so that their mark is not read as part of the next letter. */
const APOSTROPHE = { d: 0.18, others: 0.12 };

/** Returns the space after a letter with a mark next to it, in em. 0 for any other character. */
export function apostropheOf(character: string): number {
  if (!isApostrophied(character)) return 0;
  return character === "ď" ? APOSTROPHE.d : APOSTROPHE.others;
}

/**
 * Returns the space above the baseline that a letter with marks needs, in em. Marks drawn by hand at small sizes are taller than
 * in the outline.
 */
export function roomFor(character: string): number {
  const marks = marksOver(character);
  if (marks === "two") return 1.06;
  return marks === "one" && /^[\p{Lu}ĺḃḋḟṫ]$/u.test(character) ? 0.96 : 0;
}
