/**
 * How long deliveries are retried; after that, they are dead letters, which can be replayed
 * (docs/decisions/events/deliveries.md).
 */
export const GIVE_UP_AFTER_MS = 24 * 3_600_000;

const FIRST_WAIT_MS = 5_000;
const LAST_WAIT_MS = 3_600_000;

/**
 * Returns the time of a delivery's next attempt after this many failed ones; undefined if it becomes a dead letter. Intervals
 * grow from five seconds to an hour, with a random jitter of up to half, so that the deliveries to a receiver that was
 * unavailable do not all arrive at the same time.
 */
export function nextAttempt(since: Date, attempts: number, now: Date, random: number): Date | undefined {
  const wait = Math.min(FIRST_WAIT_MS * 3 ** (attempts - 1), LAST_WAIT_MS) * (1 + random / 2);
  const next = new Date(now.getTime() + wait);
  return next.getTime() - since.getTime() > GIVE_UP_AFTER_MS ? undefined : next;
}

/** How long a dead letter can be replayed. */
export const DEAD_LETTER_TTL_MS = 7 * 24 * 3_600_000;
