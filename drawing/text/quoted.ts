const MAX_LENGTH = 60;

/** A text as messages show it: in quotes and cut to MAX_LENGTH. */
export const quoted = (text: string): string =>
  text.length <= MAX_LENGTH ? `"${text}"` : `"${text.slice(0, MAX_LENGTH).replace(/\p{Surrogate}$/u, "")}..."`;
