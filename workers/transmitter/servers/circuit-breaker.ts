/** Stops calls to a server that is away, so that no caller waits for it. */
export interface CircuitBreaker {
  /** Whether no call is to be begun now. */
  isOpen(): boolean;
  /** The server answered, whatever it said. */
  answered(): void;
  /** A call had no answer. */
  failed(): void;
  /** When the first of the calls without an answer failed, since the last answer; undefined where there is none. */
  failingSince(): number | undefined;
}

/** This many calls without an answer, one after the other, open the circuit. */
const MAX_FAILURES = 5;
const OPEN_MS = 5_000;

/** `clock` gives milliseconds. A call after the open time is the trial: one more failure opens the circuit again. */
export function createCircuitBreaker(clock: () => number): CircuitBreaker {
  let failures = 0;
  let openUntil = Number.NEGATIVE_INFINITY;
  let failingSince: number | undefined;
  return {
    failingSince: () => failingSince,
    isOpen: () => clock() < openUntil,
    answered() {
      failures = 0;
      failingSince = undefined;
    },
    failed() {
      failures += 1;
      failingSince ??= clock();
      if (failures >= MAX_FAILURES) openUntil = clock() + OPEN_MS;
    },
  };
}
