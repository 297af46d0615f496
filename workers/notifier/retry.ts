/** How long events are tried: then they are dead, and wait to be replayed (design, section 9). */
const GIVE_UP_AFTER_MS = 24 * 3_600_000;

const FIRST_WAIT_MS = 5_000;
const LAST_WAIT_MS = 3_600_000;

/**
 * When to try an event again that failed so many times since it came up; undefined where it is given up. Waits grow
 * from five seconds to an hour, each by up to a half more, so that a receiver that was away is not met by all at once.
 */
export function nextAttempt(since: Date, attempts: number, now: Date, random: number): Date | undefined {
  const wait = Math.min(FIRST_WAIT_MS * 3 ** (attempts - 1), LAST_WAIT_MS) * (1 + random / 2);
  const next = new Date(now.getTime() + wait);
  return next.getTime() - since.getTime() > GIVE_UP_AFTER_MS ? undefined : next;
}

/** How long a dead event can be replayed. */
export const DEAD_LETTER_TTL_MS = 7 * 24 * 3_600_000;
