import { hash } from "node:crypto";

const SHARES = 2 ** 32;

/** A share from 0 to below 1, the same for a key each time: it spreads over time what would happen to all keys at once. */
export const shareOf = (key: string): number => Number.parseInt(hash("sha256", key).slice(0, 8), 16) / SHARES;

/** A wait, lengthened by a share of 0 to `spread` that depends on the key of what waits. */
export const spreadWait = (milliseconds: number, spread: number, key: string): number =>
  Math.round(milliseconds * (1 + spread * shareOf(key)));
