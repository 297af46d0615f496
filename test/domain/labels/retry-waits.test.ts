import test from "ava";
import {
  longestFirstWait,
  retrySettings,
  settingsOf,
  slowWaitOf,
  waitAfter,
} from "../../../domain/labels/retry-waits.ts";

test("labels that failed together are not retried together: the label's key spreads the slow wait", (t) => {
  const waits = Array.from({ length: 1000 }, (_, index) => slowWaitOf(`t/demo/s/main/labels/${index}`, 1000));
  t.true(waits.every((wait) => wait >= 500 && wait <= 1500));
  const tenths = Map.groupBy(waits, (wait) => Math.floor((wait - 500) / 100));
  t.true(Math.max(...[...tenths.values()].map(({ length }) => length)) < 150);
  t.is(slowWaitOf("a", 1000), slowWaitOf("a", 1000));
});

test("the wait for a report doubles with every attempt, up to the time within which label servers report", (t) => {
  const waits = (withinMs: number) => [1, 2, 3, 4, 10].map((tries) => waitAfter(tries, retrySettings(withinMs)));
  t.deepEqual(waits(100_000), [15_000, 30_000, 60_000, 100_000, 100_000]);
  t.deepEqual(waits(5_000), [5_000, 5_000, 5_000, 5_000, 5_000]);
});

test("labels that were sent to together are not retried together: each wait is lengthened by up to a quarter", (t) => {
  const retry = retrySettings(100_000);
  for (const tries of [1, 2, 3, 4, 10]) {
    const least = waitAfter(tries, retry);
    const waits = Array.from({ length: 1000 }, (_, index) => waitAfter(tries, settingsOf(`label ${index}`, retry)));
    t.true(waits.every((wait) => wait >= least && wait <= 1.25 * least));
    t.true(new Set(waits).size > 500);
  }
  t.is(longestFirstWait(retry), 18_750);
});
