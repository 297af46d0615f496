const MAX_LENGTH = 60;

/** Returns text as notices show it, cut to MAX_LENGTH. */
export const shortened = (text: string): string =>
  text.length <= MAX_LENGTH ? text : `${text.slice(0, MAX_LENGTH).replace(/\p{Surrogate}$/u, "")}...`;
