import test from "ava";
import { createTimesToGlass } from "../../../../api/management/integrity/times-to-glass.ts";

const now = new Date("2026-03-03T10:00:00Z");
const ago = (minutes: number): Date => new Date(now.getTime() - minutes * 60_000);

test("percentiles of the last hour and day are accurate to 5 %", (t) => {
  const times = createTimesToGlass(now, (date) => date.toISOString());
  for (let ms = 1; ms <= 1_000; ms += 1) times.add({ at: ago(30), tookMs: ms });
  for (let ms = 9_001; ms <= 10_000; ms += 1) times.add({ at: ago(90), tookMs: ms });
  const { lastHour, lastDay } = times.result();
  const isNear = (value: number | null, exact: number) =>
    t.true(value !== null && value >= exact && value <= exact * 1.051);
  t.is(lastHour.pictures, 1_000);
  isNear(lastHour.p50, 0.5);
  isNear(lastHour.p99, 0.99);
  t.is(lastHour.longest, 1);
  t.is(lastDay.pictures, 2_000);
  isNear(lastDay.p50, 1);
  isNear(lastDay.p90, 9.8);
  t.is(lastDay.longest, 10);
});

test("without acknowledged pictures there are no times", (t) => {
  const times = createTimesToGlass(now, (date) => date.toISOString());
  times.add({ at: ago(1) });
  t.deepEqual(times.result().lastHour, { pictures: 0, p50: null, p90: null, p99: null, longest: null });
});

test("the steps of the last hour and day end now, and each step counts only its own pictures", (t) => {
  const times = createTimesToGlass(now, (date) => date.toISOString());
  for (const minutes of [-1, 0, 4, 5, 5.1, 59, 60, 61, 119, 1_440, 1_441])
    times.add({ at: ago(minutes), tookMs: 1_000 });
  const { byMinutes, byHours } = times.result();
  t.deepEqual(
    byMinutes.map(({ pictures }) => pictures),
    [2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 4],
  );
  t.deepEqual(byMinutes[0], { from: "2026-03-03T09:00:00.000Z", pictures: 2, p50: 1, p90: 1 });
  t.deepEqual(byMinutes[1], { from: "2026-03-03T09:05:00.000Z", pictures: 0, p50: null, p90: null });
  t.is(byHours.length, 24);
  t.deepEqual(
    byHours.flatMap(({ pictures }, hour) => (pictures > 0 ? [[hour, pictures]] : [])),
    [
      [0, 1],
      [22, 2],
      [23, 7],
    ],
  );
  t.is(byHours[0]?.from, "2026-03-02T10:00:00.000Z");
});
