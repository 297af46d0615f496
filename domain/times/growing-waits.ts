/** The waits between attempts, and the maximum time from the first attempt to the last, in milliseconds. */
export interface GrowingWaits {
  firstMs: number;
  lastMs: number;
  giveUpAfterMs: number;
}

/** What has been tried so far. */
interface Tried {
  since: Date;
  /** Number of failed attempts, at least 1. */
  failures: number;
  /** The wait that the other side requested. */
  requestedMs?: number | undefined;
}

/**
 * Returns the time of the next attempt; undefined if it would be too late. Each wait is three times as long as the one before,
 * up to `lastMs`, with a random jitter of up to half, so that the calls to a receiver that was unavailable do not all arrive at
 * the same time. A requested wait counts instead if it is longer, up to the same limit.
 */
export function nextAttempt(
  { since, failures, requestedMs = 0 }: Tried,
  now: Date,
  random: number,
  { firstMs, lastMs, giveUpAfterMs }: GrowingWaits,
): Date | undefined {
  const wait = Math.min(Math.max(firstMs * 3 ** (failures - 1), requestedMs), lastMs) * (1 + random / 2);
  const next = new Date(now.getTime() + wait);
  return next.getTime() - since.getTime() > giveUpAfterMs ? undefined : next;
}
