/** A timer that fires a little early begins the tick that it is for, which must not come again when its run ends. */
const MARGIN_MS = 5;
/** A run that takes a larger part of its interval has work: the whole interval is left to others then. */
const QUICK_PART = 4;

/**
 * Milliseconds from the end of a run to the next, at most the interval. After a quick run, to the next multiple of the interval by
 * `now` (milliseconds that only grow): so the timers of a process begin together, and what they ask for goes to the database
 * together (records/mongodb/find-first-together.ts). `ranMs` is how long the run took.
 */
export const pauseInStep = (intervalMs: number, ranMs: number, now: number): number =>
  ranMs * QUICK_PART > intervalMs
    ? intervalMs
    : Math.min(intervalMs, intervalMs + MARGIN_MS - ((now + MARGIN_MS) % intervalMs));
