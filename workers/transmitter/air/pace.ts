/** What a lane has learnt about the pace of its label server. Times are milliseconds of the lane's clock. */
export interface Pace {
  /** How many calls may run concurrently; its whole part counts. */
  readonly limit: number;
  /** Set until the label server is busy for the first time: the limit grows with every answer instead of every round. */
  readonly isFresh: boolean;
  /** When the limit was last lowered. Calls that began before say nothing about the lower limit. */
  readonly loweredAt: number;
  /** No call begins before this time. */
  readonly restsUntil: number;
  /** Mean duration of calls; undefined before the first answer. */
  readonly meanMs: number | undefined;
  /** The least duration of accepted calls, forgotten slowly. */
  readonly leastMs: number;
  /** Since the last success: calls without one, and rests that the label server did not ask for. */
  readonly failures: number;
  readonly rests: number;
  /** Slow calls in a row. */
  readonly slowCalls: number;
}

/** A call that ended, and what it says about the label server as a whole; `neither` concerns the call alone. */
export interface EndedCall {
  begunAt: number;
  endedAt: number;
  outcome: "taken" | "busy" | "silent" | "neither";
  /** How long the label server requests a rest. */
  restMs?: number | undefined;
  /** From 0 to below 1: the random part of waits. */
  share: number;
}

/** Weight of the latest call in the mean duration of calls. */
const NEWEST_WEIGHT = 0.1;
/** The least duration is forgotten at this rate, so that a label server that has become slower counts as normal again. */
const FORGETTING = 1.05;
/**
 * A label server has too many calls if several in a row take so many times the least duration, and so much longer. A single
 * one says only that its label is slow.
 */
const SLOWER_TIMES = 4;
const SLOWER_MS = 250;
const SLOW_CALLS = 4;
/** Slowness lowers the limit by this factor, and no further than to this share of its maximum; busy and silent answers do. */
const SLOWNESS_FACTOR = 0.75;
const SLOWNESS_SHARE = 0.25;
const FIRST_REST_MS = 250;
const LAST_REST_MS = 5_000;
/** A label server that requests a longer rest is tried after this time all the same. */
export const MAX_REST_MS = 300_000;
const REST_SPREAD = 0.25;
/** More than the label server takes in this time is not begun, so that nothing waits until its retry is due. */
export const MAX_WAIT_MS = 5_000;
export const MAX_TRANSMISSIONS = 2_000;
/** Before the first answer, so many calls for each that may run are begun. */
const UNKNOWN_ROUNDS = 4;

/** The pace of a label server that has not answered yet. */
export const firstPace = (max: number): Pace => ({
  limit: max,
  isFresh: true,
  loweredAt: Number.NEGATIVE_INFINITY,
  restsUntil: Number.NEGATIVE_INFINITY,
  meanMs: undefined,
  leastMs: 0,
  failures: 0,
  rests: 0,
  slowCalls: 0,
});

/**
 * The pace after a call: one more call per round while calls are taken, half as many when the label server is busy or silent
 * (additive increase, multiplicative decrease), never fewer than one and never more than `max`.
 */
export function paceAfter(pace: Pace, call: EndedCall, max: number): Pace {
  const timed = { ...pace, meanMs: meanAfter(pace, call) };
  if (call.outcome === "neither") return timed;
  return call.outcome === "taken" ? afterSuccess(timed, call, max) : afterFailure(timed, call);
}

/** The pace of a label server to which no call is begun: afterwards a single call tries it. */
export const paceWhileAway = (pace: Pace): Pace => ({ ...pace, limit: 1, isFresh: true, failures: pace.failures + 1 });

/** How long no call is to begin from now on, in milliseconds. */
export const restOf = ({ restsUntil }: Pace, now: number): number => Math.max(0, restsUntil - now);

/** How many transmissions a lane holds at most, with those being sent: what its label server takes in a few seconds. */
export function capacityOf({ limit, meanMs, failures }: Pace): number {
  const calls = Math.floor(limit);
  if (failures > 0) return calls;
  if (meanMs === undefined) return Math.min(MAX_TRANSMISSIONS, UNKNOWN_ROUNDS * calls);
  return Math.min(MAX_TRANSMISSIONS, Math.max(calls, Math.floor((calls * MAX_WAIT_MS) / meanMs)));
}

/** Calls per second that the label server takes at this pace; before the first answer, as if each took 100 ms. */
export const perSecondOf = ({ limit, meanMs = 100 }: Pace): number => (Math.floor(limit) * 1_000) / Math.max(1, meanMs);

/** What the answers of a label server have shown. */
export interface LearntPace {
  /** Calls per second that it takes. */
  perSecond: number;
  /** Whether it takes fewer calls at a time than it may have, or rests. */
  isSlowed: boolean;
}

/** What a lane has learnt about its label server; undefined before the first answer. */
export const learntOf = (pace: Pace, max: number, now: number): LearntPace | undefined =>
  pace.meanMs === undefined
    ? undefined
    : { perSecond: perSecondOf(pace), isSlowed: Math.floor(pace.limit) < max || restOf(pace, now) > 0 };

function meanAfter({ meanMs }: Pace, { begunAt, endedAt, outcome }: EndedCall): number | undefined {
  const took = endedAt - begunAt;
  if (outcome === "silent" && took < (meanMs ?? 0)) return meanMs;
  // A refused connection takes no time, and says nothing about how long calls take.
  if (meanMs === undefined) return outcome === "taken" ? took : undefined;
  return meanMs + (took - meanMs) * NEWEST_WEIGHT;
}

function afterSuccess(pace: Pace, { begunAt, endedAt }: EndedCall, max: number): Pace {
  const took = endedAt - begunAt;
  const leastMs = pace.leastMs === 0 ? took : Math.min(took, pace.leastMs * FORGETTING);
  const slowCalls = took > SLOWER_TIMES * leastMs + SLOWER_MS ? pace.slowCalls + 1 : 0;
  const next = { ...pace, leastMs, slowCalls, failures: 0, rests: 0 };
  if (begunAt < pace.loweredAt) return next;
  if (slowCalls < SLOW_CALLS)
    return { ...next, limit: Math.min(max, pace.limit + (pace.isFresh ? 1 : 1 / pace.limit)) };
  const lowest = Math.max(1, max * SLOWNESS_SHARE);
  if (pace.limit <= lowest) return next;
  const limit = Math.max(lowest, pace.limit * SLOWNESS_FACTOR);
  return { ...next, limit, slowCalls: 0, isFresh: false, loweredAt: endedAt };
}

function afterFailure(pace: Pace, call: EndedCall): Pace {
  const { outcome, restMs, share, begunAt, endedAt } = call;
  const failed = { ...pace, failures: pace.failures + 1 };
  const lowered =
    begunAt < pace.loweredAt
      ? failed
      : { ...failed, limit: Math.max(1, pace.limit / 2), isFresh: false, loweredAt: endedAt };
  const resting = (milliseconds: number, rests: number): Pace => {
    const restsUntil = Math.max(pace.restsUntil, endedAt + milliseconds * (1 + REST_SPREAD * share));
    return { ...lowered, rests, restsUntil };
  };
  if (restMs !== undefined) return resting(Math.min(restMs, MAX_REST_MS), pace.rests);
  // Calls to a silent label server end by its circuit breaker.
  if (outcome === "silent" || pace.limit > 1) return lowered;
  return resting(Math.min(FIRST_REST_MS * 2 ** pace.rests, LAST_REST_MS), pace.rests + 1);
}
