import test from "ava";
import fc from "fast-check";
import { timeOfShare } from "../../../../../scripts/develop/load/plan/day.ts";
import { type Day, planCalls } from "../../../../../scripts/develop/load/plan/plan-calls.ts";

const hour: Day = {
  ...{ seed: 1, stores: 10, labels: 100, durationMs: 3_600_000 },
  ...{ urgentPerMs: 5 / 1_000, listsPerMs: 2 / 3_600_000, flashesPerMs: 1 / 60_000, followedShare: 1 },
};
const anyDay = fc.record({
  seed: fc.integer({ min: 1, max: 1_000_000 }),
  stores: fc.integer({ min: 1, max: 6 }),
  labels: fc.integer({ min: 1, max: 40 }),
  durationMs: fc.integer({ min: 1, max: 120_000 }),
  urgentPerMs: fc.constantFrom(0, 1 / 1_000, 0.01),
  listsPerMs: fc.constantFrom(0, 1 / 3_600_000, 1 / 5_000),
  flashesPerMs: fc.constantFrom(0, 1 / 10_000),
  followedShare: fc.constantFrom(0, 0.5, 1),
});

test("calls are ordered by time, lie within the run, and name stores and labels that exist", (t) => {
  fc.assert(
    fc.property(anyDay, (day) => {
      const calls = planCalls(day);
      for (const [index, { at, store, labels }] of calls.entries()) {
        t.true(at >= (calls[index - 1]?.at ?? 0) && at < day.durationMs);
        t.true(store >= 0 && store < day.stores);
        t.true(labels.length > 0 && labels.every((label) => label >= 0 && label < day.labels));
      }
    }),
    { numRuns: 15 },
  );
  t.pass();
});

test("the same seed produces the same day, and a different seed a different day", (t) => {
  t.deepEqual(planCalls(hour), planCalls(hour));
  t.notDeepEqual(planCalls(hour), planCalls({ ...hour, seed: 2 }));
});

test("an additional store does not change the other stores' calls", (t) => {
  const more = { ...hour, stores: hour.stores + 1, urgentPerMs: 5.5 / 1_000, flashesPerMs: 1.1 / 60_000 };
  // Each store's rate is a quotient, so the days are equal up to rounding.
  const rounded = (day: Day) => planCalls(day).map(({ at, ...call }) => ({ ...call, at: Math.round(at * 1_000) }));
  t.deepEqual(
    rounded(more).filter(({ store }) => store < hour.stores),
    rounded(hour),
  );
});

test("the rates hold: urgent changes and flashes across all stores, lists for each store", (t) => {
  const counts = Object.groupBy(planCalls(hour), ({ kind }) => kind);
  // Four standard deviations of a Poisson process.
  t.true(Math.abs((counts.urgent?.length ?? 0) - 18_000) < 4 * Math.sqrt(18_000));
  t.true(Math.abs((counts.flash?.length ?? 0) - 60) < 4 * Math.sqrt(60));
  t.is(counts.list?.length, 20);
  const short = planCalls({ ...hour, stores: 200, durationMs: 600_000, urgentPerMs: 0, flashesPerMs: 0 });
  t.true(Math.abs(short.length - 200 / 3) < 4 * Math.sqrt(200 / 3));
});

test("each store sends its lists at different times", (t) => {
  const times = planCalls({ ...hour, urgentPerMs: 0, flashesPerMs: 0 }).map(({ at }) => at);
  t.is(new Set(times).size, times.length);
});

test("gaps between a store's urgent changes follow a Poisson process within an hour of the day", (t) => {
  // In the seventh hour of the day the rate is constant.
  const [from, to] = [(7 / 24) * hour.durationMs, (8 / 24) * hour.durationMs];
  const times = planCalls({ ...hour, stores: 1, listsPerMs: 0, flashesPerMs: 0 })
    .map(({ at }) => at)
    .filter((at) => at >= from && at < to);
  const gaps = times.slice(1).map((at, index) => at - (times[index] ?? 0));
  const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
  const deviation = Math.sqrt(gaps.reduce((sum, gap) => sum + (gap - mean) ** 2, 0) / gaps.length);
  // The standard deviation of an exponential distribution is its mean.
  t.true(Math.abs(deviation / mean - 1) < 0.15, `${deviation / mean}`);
});

test("the share of urgent changes whose results are read is the configured one, and flashes have no result", (t) => {
  const calls = planCalls({ ...hour, followedShare: 0.25 });
  const urgent = calls.filter(({ kind }) => kind === "urgent");
  t.true(Math.abs(urgent.filter(({ isFollowed }) => isFollowed).length / urgent.length - 0.25) < 0.02);
  t.true(calls.every(({ kind, isFollowed }) => (kind === "flash" ? !isFollowed : kind !== "list" || isFollowed)));
});

test("the day's changes happen in order, most of them in the morning and few at night", (t) => {
  t.is(timeOfShare(0), 0);
  t.is(timeOfShare(1), 1);
  const times = Array.from({ length: 1_000 }, (_, index) => timeOfShare(index / 1_000));
  t.deepEqual(
    times,
    times.toSorted((one, other) => one - other),
  );
  const between = (from: number, to: number) => times.filter((time) => time * 24 >= from && time * 24 < to).length;
  t.true(between(6, 8) > 5 * between(0, 2));
});
