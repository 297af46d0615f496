import { marksOver } from "./compose-letter.ts";

/**
 * Smallest sizes, in pixels, at which characters can be told apart: plain characters, lowercase letters with a mark, capitals
 * with a mark and rare signs, Cyrillic, and letters with two marks.
 */
export const PLAIN = 8;
const SMALL_MARKED = 9;
const MARKED = 10;
const CYRILLIC = 11;
const DOUBLY_MARKED = 12;

/** Latin letters without marks, digits, and most signs. */
const PLAIN_CHARACTER = /^[\x20-\x5b\x5d-\x7d\u00a0\u202f€£°·…–—‘’‚“”„«»§™℮]$/;
/** Horns and hooks, which Vietnamese uses. */
const FINE_MARKS = /[\u0309\u031b]/;
/** Lowercase letters, except letters that look like an I. */
const SMALL_LETTER = /[[\p{Ll}&&[\p{Script=Latin}\p{Script=Greek}]]--[ĺļ]]/v;

/** Returns the smallest size, in pixels, at which a character looks different from all others of its alphabet in every face. */
export function readableFrom(character: string): number {
  if (PLAIN_CHARACTER.test(character)) return PLAIN;
  if (marksOver(character) === "two" || FINE_MARKS.test(character.normalize("NFD"))) return DOUBLY_MARKED;
  if (SMALL_LETTER.test(character)) return SMALL_MARKED;
  return /\p{Script=Cyrillic}/u.test(character) ? CYRILLIC : MARKED;
}
