import test from "ava";
import fc from "fast-check";
import {
  distributionOf,
  histogramOf,
  overTime,
  percentile,
} from "../../../../../scripts/develop/load/report/distribution.ts";

const durations = fc.array(fc.double({ min: 0, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 200 });

test("percentiles are nearest ranks", (t) => {
  const thousand = Array.from({ length: 1_000 }, (_, index) => index + 1);
  t.deepEqual(distributionOf(thousand.toReversed()), {
    ...{ count: 1_000, p50: 500, p90: 900, p99: 990, p999: 999, max: 1_000 },
  });
  t.deepEqual(distributionOf([7]), { count: 1, p50: 7, p90: 7, p99: 7, p999: 7, max: 7 });
  t.is(distributionOf([]), undefined);
});

test("at least the given share of the values are at or below the percentile, and less than that share are below it", (t) => {
  fc.assert(
    fc.property(durations, fc.double({ min: 0.001, max: 1, noNaN: true }), (values, share) => {
      const sorted = values.toSorted((one, other) => one - other);
      const found = percentile(sorted, share);
      t.true(sorted.filter((value) => value <= found).length >= share * sorted.length);
      t.true(sorted.filter((value) => value < found).length < share * sorted.length);
    }),
    { numRuns: 100 },
  );
  t.pass();
});

test("a histogram counts every duration once, in buckets without a gap", (t) => {
  fc.assert(
    fc.property(durations, (values) => {
      const buckets = histogramOf(values);
      t.is(
        buckets.reduce((sum, { count }) => sum + count, 0),
        values.length,
      );
      for (const [index, { from, to }] of buckets.entries())
        t.true(from < to && (index === 0 || from === buckets[index - 1]?.to));
      t.true((buckets[0]?.count ?? 0) > 0 && (buckets.at(-1)?.count ?? 0) > 0);
    }),
    { numRuns: 100 },
  );
  t.deepEqual(histogramOf([]), []);
});

test("durations over time are percentiles for each interval that has any durations", (t) => {
  const timed = [
    { at: 0, ms: 5 },
    { at: 9, ms: 1 },
    { at: 100, ms: 3 },
  ];
  t.deepEqual(overTime(timed, 100, 10), [
    { at: 5, count: 2, p50: 1, p99: 5, max: 5 },
    { at: 95, count: 1, p50: 3, p99: 3, max: 3 },
  ]);
});
