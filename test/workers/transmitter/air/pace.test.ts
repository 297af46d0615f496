import test from "ava";
import fc from "fast-check";
import {
  capacityOf,
  type EndedCall,
  firstPace,
  MAX_REST_MS,
  type Pace,
  paceAfter,
  paceWhileAway,
  perSecondOf,
  restOf,
} from "../../../../workers/transmitter/air/pace.ts";

const MAX = 16;

/** The pace after consecutive calls of 10 ms with the given outcomes. */
function after(outcomes: readonly EndedCall["outcome"][], from: Pace = firstPace(MAX), max = MAX): Pace {
  return outcomes.reduce(
    (pace, outcome, index) =>
      paceAfter(pace, { begunAt: 100 * index + 1, endedAt: 100 * index + 11, outcome, share: 0 }, max),
    from,
  );
}
const times = (count: number, outcome: EndedCall["outcome"]) => Array<EndedCall["outcome"]>(count).fill(outcome);
const limitOf = ({ limit }: Pace): number => Math.floor(limit);

const limits: [what: string, outcomes: EndedCall["outcome"][], limit: number][] = [
  ["a label server that accepts every call gets the maximum number of calls", times(50, "taken"), 16],
  ["a busy answer halves the number of calls", ["busy"], 8],
  ["silence halves the number of calls", ["silent"], 8],
  ["each busy answer halves the number of calls again", ["busy", "busy"], 4],
  ["one call is always attempted", times(50, "busy"), 1],
  ["an answer that concerns only one label changes nothing", times(50, "neither"), 16],
  ["after a busy answer, a round of accepted calls allows one more", ["busy", ...times(9, "taken")], 9],
  ["200 accepted calls after a busy answer allow all calls again", ["busy", ...times(200, "taken")], 16],
];
for (const [what, outcomes, limit] of limits) {
  test(`concurrency: ${what}`, (t) => {
    t.is(limitOf(after(outcomes)), limit);
  });
}

test("concurrency: calls that were in progress when the limit was halved do not halve it again", (t) => {
  const busy = (endedAt: number): EndedCall => ({ begunAt: 0, endedAt, outcome: "busy", share: 0 });
  const pace = [5, 6, 7, 8].reduce((known, endedAt) => paceAfter(known, busy(endedAt), MAX), firstPace(MAX));
  t.is(limitOf(pace), 8);
});

test("concurrency: a label server that was unreachable gets one trial call, then each success allows one more", (t) => {
  const back = paceWhileAway(firstPace(MAX));
  t.deepEqual([limitOf(back), capacityOf(back)], [1, 1], "nothing waits behind the trial call");
  t.is(limitOf(after(times(3, "taken"), back)), 4);
});

test("concurrency: calls that take much longer than the fastest reduce the number of calls, but to no less than a quarter", (t) => {
  let pace = after(times(20, "taken"));
  const call = (index: number, took: number) => {
    const begunAt = 10_000 * (index + 1);
    pace = paceAfter(pace, { begunAt, endedAt: begunAt + took, outcome: "taken", share: 0 }, MAX);
  };
  call(0, 5_000);
  t.is(limitOf(pace), 16, "a single slow label does not slow the pace");
  for (let index = 1; index < 40; index += 1) call(index, 5_000);
  t.is(limitOf(pace), 4);
  for (let index = 40; index < 400; index += 1) call(index, 5_000);
  t.is(limitOf(pace), 16, "a label server that stays slower counts as normal");
});

test("rests: Retry-After applies to the lane, lengthened at random, for at most five minutes", (t) => {
  const asked = (restMs: number, share: number) =>
    restOf(paceAfter(firstPace(MAX), { begunAt: 0, endedAt: 10, outcome: "busy", restMs, share }, MAX), 10);
  t.is(asked(2_000, 0), 2_000);
  t.is(asked(2_000, 0.5), 2_250);
  t.is(asked(86_400_000, 0), MAX_REST_MS);
});

test("rests: a label server that answers a single call as busy rests longer each time, for at most 5 s", (t) => {
  const rests: number[] = [];
  let pace = after(times(4, "busy"));
  for (let at = 10_000; rests.length < 8; at += 10_000) {
    t.is(restOf(pace, at), 0, "the last rest is over");
    pace = paceAfter(pace, { begunAt: at, endedAt: at, outcome: "busy", share: 0 }, MAX);
    rests.push(restOf(pace, at));
  }
  t.deepEqual(rests, [250, 500, 1_000, 2_000, 4_000, 5_000, 5_000, 5_000]);
  t.like(after(["taken"], pace), { failures: 0, rests: 0 });
});

test("a lane holds a few transmissions before the first answer, then as many as are accepted within five seconds", (t) => {
  t.is(capacityOf(firstPace(MAX)), 64);
  t.is(capacityOf(after(["taken"])), 2_000, "10 ms a call");
  t.is(capacityOf({ ...firstPace(4), meanMs: 1_000 }), 20);
  t.is(capacityOf({ ...firstPace(4), meanMs: 60_000 }), 4);
  t.is(capacityOf(after(["taken", "busy"])), 8, "while the label server is busy, only what can be sent now");
});

test("the rate counts the calls that may run, and a refused connection does not count as a fast call", (t) => {
  t.is(perSecondOf({ ...firstPace(4), meanMs: 200 }), 20);
  const refused = paceAfter(
    { ...firstPace(4), meanMs: 200 },
    { begunAt: 5, endedAt: 6, outcome: "silent", share: 0 },
    4,
  );
  t.is(refused.meanMs, 200);
});

const event = fc.record({
  outcome: fc.constantFrom("taken" as const, "busy" as const, "silent" as const, "neither" as const, "away" as const),
  took: fc.constantFrom(0, 1, 10, 500, 15_000),
  pause: fc.constantFrom(0, 1, 1_000),
  restMs: fc.constantFrom(undefined, 1_000, 1e9),
  share: fc.double({ min: 0, max: 0.999, noNaN: true }),
});

test("after any calls, the limit stays between one and the maximum, a rest ends, and successes restore the maximum", (t) => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 64 }), fc.array(event, { maxLength: 200, size: "max" }), (max, events) => {
      let pace = firstPace(max);
      let at = 0;
      for (const { outcome, took, pause, restMs, share } of events) {
        const begunAt = at;
        at += took;
        pace =
          outcome === "away"
            ? paceWhileAway(pace)
            : paceAfter(pace, { begunAt, endedAt: at, outcome, restMs, share }, max);
        t.true(pace.limit >= 1 && pace.limit <= max, `${pace.limit} of ${max}`);
        t.true(restOf(pace, at) <= 1.25 * MAX_REST_MS);
        t.true(capacityOf(pace) >= 1);
        at += pause;
      }
      for (let calls = 0; calls < 40 * max + 400; calls += 1) {
        at += 10;
        pace = paceAfter(pace, { begunAt: at - 10, endedAt: at, outcome: "taken", share: 0 }, max);
      }
      t.is(pace.limit, max);
    }),
    { numRuns: 300 },
  );
});
