/** A timer may fire this many milliseconds early. Its run then counts for the coming tick, which must not start a second run. */
const MARGIN_MS = 5;
/** A run that takes more than a quarter of its interval has found work: a whole interval then passes before the next run. */
const QUICK_PART = 4;

/**
 * Returns the milliseconds from the end of a run to the next run, at most the interval. After a quick run, the next one starts
 * at a multiple of the interval by `now` (a monotonic clock, in milliseconds). The timers of a process thus fire together, and
 * their queries go to the database as one command (records/mongodb/find-first-together.ts). `ranMs` is how long the run took.
 */
export const pauseInStep = (intervalMs: number, ranMs: number, now: number): number =>
  ranMs * QUICK_PART > intervalMs
    ? intervalMs
    : Math.min(intervalMs, intervalMs + MARGIN_MS - ((now + MARGIN_MS) % intervalMs));
