import test from "ava";
import { isFullRefresh } from "../../../../domain/labels/care/full-refresh.ts";

const numbersOfFull = (fullRefreshAfter: number | undefined) =>
  Array.from({ length: 9 }, (_, index) => index + 1).filter((nth) =>
    isFullRefresh(nth, fullRefreshAfter === undefined ? {} : { fullRefreshAfter }),
  );

for (const [rule, after, full] of [
  ["every third refresh", 3, [3, 6, 9]],
  ["every refresh", 1, [1, 2, 3, 4, 5, 6, 7, 8, 9]],
  ["none before the interval is over", 20, []],
  ["none if the label type does not require any", undefined, []],
] as const)
  test(`full refreshes: ${rule}`, (t) => t.deepEqual(numbersOfFull(after), [...full]));

test("a transmission from an earlier release does not count as a full refresh", (t) => {
  t.false(isFullRefresh(undefined, { fullRefreshAfter: 1 }));
});
