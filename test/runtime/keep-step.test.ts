import test from "ava";
import fc from "fast-check";
import { pauseInStep } from "../../runtime/keep-step.ts";

test("timers with quick runs fall into step, whenever they started, and none fires later than its interval", (t) => {
  const interval = fc.constantFrom(500, 1_000, 5_000);
  const now = fc.double({ min: 10, max: 1e9, noNaN: true });
  fc.assert(
    fc.property(interval, now, (intervalMs, at) => {
      const pause = pauseInStep(intervalMs, 1, at);
      const begins = at + pause;
      const fromTick = Math.abs(((begins + intervalMs / 2) % intervalMs) - intervalMs / 2);
      return pause > 0 && pause <= intervalMs && fromTick <= 5.01;
    }),
  );
  t.is(pauseInStep(1_000, 2, 10_040), 960);
  t.is(pauseInStep(500, 2, 10_540), 460);
});

test("a timer that fires early, or whose run takes no time, does not begin the same tick again", (t) => {
  for (const at of [9_995, 9_998.5, 9_999.9, 10_000, 10_000.1]) t.true(pauseInStep(1_000, 0, at) > 990, String(at));
});

test("after a run that takes a large part of its interval, the timer pauses for the whole interval", (t) => {
  t.is(pauseInStep(1_000, 251, 10_900), 1_000);
  t.is(pauseInStep(1_000, 250, 10_900), 100);
});
