import { hash } from "node:crypto";

const SHARES = 2 ** 32;

/**
 * Returns a fraction, at least 0 and less than 1, that is always the same for a key. It spreads out work that would otherwise
 * start for all keys at once.
 */
export const shareOf = (key: string): number => Number.parseInt(hash("sha256", key).slice(0, 8), 16) / SHARES;

/** Returns a wait that is lengthened by a fraction between 0 and `spread`, which depends on the key. */
export const spreadWait = (milliseconds: number, spread: number, key: string): number =>
  Math.round(milliseconds * (1 + spread * shareOf(key)));
