const BYTES = 16;

/**
 * Returns a key that no other call has. Browsers have `crypto.randomUUID` only at secure addresses, and in a shop's own
 * network pages may come over plain HTTP.
 */
export const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(BYTES)), (byte) => byte.toString(16).padStart(2, "0")).join("");
