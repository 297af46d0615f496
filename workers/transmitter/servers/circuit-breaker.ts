/** Stops calls to a server that is unreachable or denies all calls, so that no caller waits for it. */
export interface CircuitBreaker {
  /** Whether calls are currently stopped. */
  isOpen(): boolean;
  /** Records that the server responded and did not deny the call. */
  answered(): void;
  /** Records that a call got no response or was denied. */
  failed(): void;
  /** When the first call since the last response failed; undefined if none has failed. */
  failingSince(): number | undefined;
  /** When the first response arrived after the circuit was last open; undefined if the circuit has never been open. */
  backSince(): number | undefined;
}

/** Number of failed calls in a row that open the circuit. */
const MAX_FAILURES = 5;
/** How long the circuit is open at first; the time doubles with each failed trial. */
const FIRST_OPEN_MS = 1_000;
const LAST_OPEN_MS = 5_000;
/** Fraction by which the open time varies, so that processes do not try the server at the same time. */
const OPEN_SPREAD = 0.25;

/**
 * Creates a circuit breaker. `clock` returns milliseconds; `random` returns at least 0 and less than 1. A call after the open
 * time is a trial: if it fails, the circuit opens again.
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
      // Calls that were in progress when the circuit opened do not count as trials.
      if (!isOpen()) openMs = Math.min(openMs * 2 || FIRST_OPEN_MS, LAST_OPEN_MS);
      openUntil = clock() + openMs * (1 + OPEN_SPREAD * random());
    },
  };
}
