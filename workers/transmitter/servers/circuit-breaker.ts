/** Stops calls to a server that is unreachable, or that denies them all, so that no caller waits for it. */
export interface CircuitBreaker {
  /** Whether no call is to be begun now. */
  isOpen(): boolean;
  /** The server answered, and not as `failed` says. */
  answered(): void;
  /** A call was not answered, or was denied. */
  failed(): void;
  /** When the first of the unanswered calls since the last answer failed; undefined if there is none. */
  failingSince(): number | undefined;
  /** When the first answer came after the circuit had been open, the last time; undefined if it never was. */
  backSince(): number | undefined;
}

/** This many calls without an answer, one after another, open the circuit. */
const MAX_FAILURES = 5;
/** How long it is open first; the time doubles with each trial that fails. */
const FIRST_OPEN_MS = 1_000;
const LAST_OPEN_MS = 5_000;
/** By this share of it the open time differs, so that processes do not try the server at the same time. */
const OPEN_SPREAD = 0.25;

/**
 * `clock` returns milliseconds, `random` 0 to below 1. A call after the open time is the trial: one more failure opens the
 * circuit again.
 */
export function createCircuitBreaker(clock: () => number, random: () => number = Math.random): CircuitBreaker {
  let failures = 0;
  let openUntil = Number.NEGATIVE_INFINITY;
  let openMs = 0;
  let failingSince: number | undefined;
  let backSince: number | undefined;
  const isOpen = () => clock() < openUntil;
  return {
    failingSince: () => failingSince,
    backSince: () => backSince,
    isOpen,
    answered() {
      if (openMs > 0) backSince = clock();
      failures = 0;
      openMs = 0;
      failingSince = undefined;
    },
    failed() {
      failures += 1;
      failingSince ??= clock();
      if (failures < MAX_FAILURES) return;
      // Calls that were under way when it opened are no trial.
      if (!isOpen()) openMs = Math.min(openMs * 2 || FIRST_OPEN_MS, LAST_OPEN_MS);
      openUntil = clock() + openMs * (1 + OPEN_SPREAD * random());
    },
  };
}
