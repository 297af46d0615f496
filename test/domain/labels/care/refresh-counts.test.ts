import test from "ava";
import {
  addUpDays,
  datedDays,
  recentDays,
  refreshesPerDay,
  sumOf,
} from "../../../../domain/labels/care/refresh-counts.ts";
import { type Care, DAY_MS, dayOf } from "../../../../schemas/care.ts";

const now = new Date("2026-03-31T12:00:00Z");
const today = dayOf(now);
const careOf = (days: Care["days"], sinceDays: number): Care => ({
  ...{ since: now.getTime() - sinceDays * DAY_MS, refreshes: 99, days },
});

const means: [rule: string, care: Care | undefined, perDay: number][] = [
  ["a label without a refresh has none", undefined, 0],
  ["less than a day counts as one day", careOf([{ day: today, price: 3 }], 0.1), 3],
  ["days without a refresh count", careOf([{ day: today, price: 2, design: 1 }], 6), 0.5],
  [
    "refreshes more than 31 days ago do not count",
    careOf(
      [
        { day: today - 31, price: 40 },
        { day: today, repeat: 31 },
      ],
      90,
    ),
    1,
  ],
];
for (const [rule, care, perDay] of means)
  test(`refreshes per day: ${rule}`, (t) => t.is(refreshesPerDay(care, now), perDay));

test("a label that has been silent for a long time has no recent day", (t) => {
  t.deepEqual(recentDays(careOf([{ day: today - 40, price: 1 }], 90), now), []);
});

test("the days of several labels are added up, newest first", (t) => {
  const sums = addUpDays();
  sums.add([
    { day: today - 1, price: 1 },
    { day: today, link: 1 },
  ]);
  sums.add([{ day: today, link: 2, design: 1 }]);
  const none = { link: 0, price: 0, design: 0, repeat: 0, full: 0 };
  t.deepEqual(sums.days(), [
    { date: "2026-03-31", ...none, link: 3, design: 1 },
    { date: "2026-03-30", ...none, price: 1 },
  ]);
  t.deepEqual(sumOf(sums.days()), { ...none, link: 3, price: 1, design: 1 });
  t.deepEqual(datedDays([]), []);
});
