/**
 * What a lane has learnt about its label server's pace, at most `LABEL_SERVER_CONCURRENCY` calls at a time. Times are
 * milliseconds by the lane's clock.
 */
export interface Pace {
  /** Maximum number of concurrent calls; only the integer part counts. */
  readonly limit: number;
  /**
   * Whether the limit grows with every response instead of every round. It does so at first, and after the label server was
   * unreachable, until the limit is lowered.
   */
  readonly isFresh: boolean;
  /** When the limit was last lowered. Calls that started earlier say nothing about the lower limit. */
  readonly loweredAt: number;
  /** No call starts before this time. */
  readonly restsUntil: number;
  /** Mean duration of calls; undefined before the first response. */
  readonly meanMs: number | undefined;
  /** The shortest duration of accepted calls; it is slowly forgotten. */
  readonly leastMs: number;
  /** Number of failed calls since the last success, and number of rests since then that the label server did not request. */
  readonly failures: number;
  readonly rests: number;
  /** Number of slow calls in a row. */
  readonly slowCalls: number;
}

/** A call that has ended, and what it reveals about the label server as a whole; `neither` means that it reveals nothing. */
export interface EndedCall {
  begunAt: number;
  endedAt: number;
  outcome: "taken" | "busy" | "silent" | "neither";
  /** Duration of the rest that the label server requests. */
  restMs?: number | undefined;
  /** The random share of `REST_SPREAD` by which a rest is longer: at least 0 and less than 1. */
  share: number;
}

/** Weight of the latest call in the mean duration of calls. */
const NEWEST_WEIGHT = 0.1;
/**
 * Factor by which the shortest duration grows, so that a label server that has become slower eventually counts as normal again.
 */
const FORGETTING = 1.05;
/**
 * A label server has too many calls if several calls in a row exceed this many times the shortest duration by more than
 * `SLOWER_MS`. A single slow call shows only that its label is slow.
 */
const SLOWER_TIMES = 4;
const SLOWER_MS = 250;
const SLOW_CALLS = 4;
/**
 * Slowness lowers the limit by this factor, but not below `SLOWNESS_SHARE` of its maximum; only a busy or silent label server
 * lowers it further.
 */
const SLOWNESS_FACTOR = 0.75;
const SLOWNESS_SHARE = 0.25;
const FIRST_REST_MS = 250;
const LAST_REST_MS = 5_000;
/**
 * Maximum rest, even if a label server requests a longer one. A picture that the label server did not accept is resent by then.
 */
export const MAX_REST_MS = 300_000;
const REST_SPREAD = 0.25;
/**
 * A lane starts at most as many transmissions as the label server accepts in this time, so that no transmission waits until its
 * retry is due.
 */
export const MAX_WAIT_MS = 5_000;
export const MAX_TRANSMISSIONS = 2_000;
/** Before the first response, a lane holds this many transmissions per concurrent call. */
const UNKNOWN_ROUNDS = 4;

/** Returns the pace of a label server that has not responded yet. */
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
 * Returns the pace after a call: one more concurrent call per round while calls are accepted, half as many when the label
 * server is busy or silent (additive increase, multiplicative decrease), but at least one and at most `max`.
 */
export function paceAfter(pace: Pace, call: EndedCall, max: number): Pace {
  const timed = { ...pace, meanMs: meanAfter(pace, call) };
  if (call.outcome === "neither") return timed;
  return call.outcome === "taken" ? afterSuccess(timed, call, max) : afterFailure(timed, call);
}

/** Returns the pace of a label server that is currently not called; afterwards, a single call tries it. */
export const paceWhileAway = (pace: Pace): Pace => ({ ...pace, limit: 1, isFresh: true, failures: pace.failures + 1 });

/** Returns for how many milliseconds from now on no call may start. */
export const restOf = ({ restsUntil }: Pace, now: number): number => Math.max(0, restsUntil - now);

/**
 * Returns how many transmissions a lane may hold, including those being sent: as many as its label server accepts in a few
 * seconds.
 */
export function capacityOf({ limit, meanMs, failures }: Pace): number {
  const calls = Math.floor(limit);
  if (failures > 0) return calls;
  if (meanMs === undefined) return Math.min(MAX_TRANSMISSIONS, UNKNOWN_ROUNDS * calls);
  return Math.min(MAX_TRANSMISSIONS, Math.max(calls, Math.floor((calls * MAX_WAIT_MS) / meanMs)));
}

/**
 * Returns how many calls per second the label server accepts at this pace; before the first response, as if each took 100 ms.
 */
export const perSecondOf = ({ limit, meanMs = 100 }: Pace): number => (Math.floor(limit) * 1_000) / Math.max(1, meanMs);

/** What a label server's responses have shown. */
export interface LearntPace {
  /** Calls per second that the label server accepts. */
  perSecond: number;
  /** Whether it rests, or accepts fewer concurrent calls than the maximum. */
  isSlowed: boolean;
}

/** Returns what a lane has learnt about its label server; undefined before the first response. */
export const learntOf = (pace: Pace, max: number, now: number): LearntPace | undefined =>
  pace.meanMs === undefined
    ? undefined
    : { perSecond: perSecondOf(pace), isSlowed: Math.floor(pace.limit) < max || restOf(pace, now) > 0 };

function meanAfter({ meanMs }: Pace, { begunAt, endedAt, outcome }: EndedCall): number | undefined {
  const took = endedAt - begunAt;
  if (outcome === "silent" && took < (meanMs ?? 0)) return meanMs;
  // A refused connection takes no time, so it says nothing about how long calls take.
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
  // The circuit breaker ends calls to a silent label server.
  if (outcome === "silent" || pace.limit > 1) return lowered;
  return resting(Math.min(FIRST_REST_MS * 2 ** pace.rests, LAST_REST_MS), pace.rests + 1);
}
