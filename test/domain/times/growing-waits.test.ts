import test from "ava";
import fc from "fast-check";
import { nextAttempt as nextOf } from "../../../domain/times/growing-waits.ts";
import { DELIVERY_WAITS } from "../../../workers/notifier/retry.ts";

const BEGAN = new Date("2026-03-01T08:00:00Z");
const after = (ms: number) => new Date(BEGAN.getTime() + ms);
const HOUR = 3_600_000;
const nextAttempt = (since: Date, failures: number, now: Date, random: number, requestedMs?: number) =>
  nextOf({ since, failures, requestedMs }, now, random, DELIVERY_WAITS);

test("the first wait is five seconds, and each later wait is three times as long, up to an hour", (t) => {
  const waits = [1, 2, 3, 4, 5, 6, 7, 8].map((attempts) => {
    return (nextAttempt(BEGAN, attempts, BEGAN, 0)?.getTime() ?? 0) - BEGAN.getTime();
  });
  t.deepEqual(waits, [5_000, 15_000, 45_000, 135_000, 405_000, 1_215_000, HOUR, HOUR]);
});

test("a longer wait that the receiver requests counts, up to an hour", (t) => {
  const waits = [1_000, 60_000, 5 * HOUR].map((requestedMs) => {
    return (nextAttempt(BEGAN, 1, BEGAN, 0, requestedMs)?.getTime() ?? 0) - BEGAN.getTime();
  });
  t.deepEqual(waits, [5_000, 60_000, HOUR]);
});

test("an event is abandoned if its next attempt would be more than 24 hours after it occurred", (t) => {
  t.deepEqual(nextAttempt(BEGAN, 20, after(23 * HOUR), 0), after(24 * HOUR));
  t.is(nextAttempt(BEGAN, 20, after(23 * HOUR + 1), 0), undefined);
});

test("jitter lengthens a wait by at most half, so that a receiver's deliveries do not arrive together", (t) => {
  const chance = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 30 }), chance, (attempts, random) => {
      const earliest = nextAttempt(BEGAN, attempts, BEGAN, 0)?.getTime() ?? 0;
      const wait = nextAttempt(BEGAN, attempts, BEGAN, random)?.getTime() ?? 0;
      return wait >= earliest && wait - BEGAN.getTime() <= (earliest - BEGAN.getTime()) * 1.5;
    }),
  );
  t.pass();
});

test("whatever the jitter, an event that always fails is retried for nearly the full 24 hours", (t) => {
  const chance = fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }));
  fc.assert(
    fc.property(chance, (chances) => {
      let now = BEGAN;
      for (let attempts = 1; ; attempts += 1) {
        const next = nextAttempt(BEGAN, attempts, now, chances.next().value ?? 0);
        if (next === undefined) return now >= after(22 * HOUR) && attempts > 15;
        now = next;
      }
    }),
  );
  t.pass();
});
