const LONGEST = 60;

/** A text as a message names it: in quotes, and not longer than a reader needs. */
export const quoted = (text: string): string =>
  text.length <= LONGEST ? `"${text}"` : `"${text.slice(0, LONGEST).replace(/\p{Surrogate}$/u, "")}..."`;
