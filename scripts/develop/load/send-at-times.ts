import { setTimeout } from "node:timers/promises";

export interface Clock {
  now(): number;
  /** Resolves after this many milliseconds. */
  wait(milliseconds: number): Promise<unknown>;
}

/** Milliseconds since 1970, unaffected by changes to the system clock. */
export const monotonicClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  wait: (milliseconds) => setTimeout(milliseconds),
};

/**
 * Sends calls at their planned times, regardless of the results of earlier ones. No call waits for another's response, and a call
 * that is late is sent immediately rather than left out. `send` receives the planned time, from which a call's latency
 * counts. Resolves once all have ended.
 */
export async function sendAtTimes<Call extends { at: number }, Result>(
  calls: readonly Call[],
  { start, clock, send }: { start: number; clock: Clock; send(call: Call, plannedAt: number): Promise<Result> },
): Promise<Result[]> {
  const sent: Promise<Result>[] = [];
  for (const call of calls) {
    const plannedAt = start + call.at;
    const early = plannedAt - clock.now();
    if (early > 0) await clock.wait(early);
    sent.push(send(call, plannedAt));
  }
  return Promise.all(sent);
}
