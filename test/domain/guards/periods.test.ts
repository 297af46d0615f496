import test from "ava";
import { endOf, localTime, nextBegin, timeText } from "../../../domain/guards/periods.ts";
import type { Period } from "../../../schemas/price-guards.ts";

const zone = "Europe/Zagreb";
const day: Period = { from: "08:00", to: "20:00" };
const night: Period = { from: "22:00", to: "06:00" };
/** 2 March 2026 is a Monday. */
const cases: [rule: string, period: Period, now: string, end: string | undefined][] = [
  ["a period begins at its first minute", day, "2026-03-02T08:00:00+01:00", "2026-03-02 20:00"],
  ["a period does not begin a second early", day, "2026-03-02T07:59:59+01:00", undefined],
  ["a period is over at its end", day, "2026-03-02T20:00:00+01:00", undefined],
  ["a period across midnight ends on the next day", night, "2026-03-02T23:00:00+01:00", "2026-03-03 06:00"],
  ["a period across midnight lasts into the morning", night, "2026-03-03T05:59:00+01:00", "2026-03-03 06:00"],
  [
    "a period that ends at the time it begins lasts a day",
    { from: "00:00", to: "00:00" },
    "2026-03-02T12:00Z",
    "2026-03-03 00:00",
  ],
  [
    "a period begins on its days of the week",
    { ...day, days: ["MON"] },
    "2026-03-02T12:00:00+01:00",
    "2026-03-02 20:00",
  ],
  ["a period begins on no other day of the week", { ...day, days: ["TUE"] }, "2026-03-02T12:00:00+01:00", undefined],
  [
    "after midnight the day on which the period began counts",
    { ...night, days: ["MON"] },
    "2026-03-03T01:00:00+01:00",
    "2026-03-03 06:00",
  ],
  [
    "after midnight the current day does not count",
    { ...night, days: ["TUE"] },
    "2026-03-03T01:00:00+01:00",
    undefined,
  ],
  [
    "a period never begins before its first date",
    { ...day, firstDate: "2026-03-03" },
    "2026-03-02T12:00:00+01:00",
    undefined,
  ],
  [
    "a period begins on its last date",
    { ...day, lastDate: "2026-03-02" },
    "2026-03-02T12:00:00+01:00",
    "2026-03-02 20:00",
  ],
  [
    "a period does not begin after its last date",
    { ...day, lastDate: "2026-03-01" },
    "2026-03-02T12:00:00+01:00",
    undefined,
  ],
  ["the store's clock counts", day, "2026-03-02T07:30:00Z", "2026-03-02 20:00"],
  ["the end keeps its local time when clocks go forward", night, "2026-03-29T05:59:00+02:00", "2026-03-29 06:00"],
  ["the end keeps its local time when clocks go back", night, "2026-10-25T05:59:00+01:00", "2026-10-25 06:00"],
  [
    "an end in an hour that clocks skip comes at the next hour",
    { from: "22:00", to: "02:30" },
    "2026-03-28T23:00:00+01:00",
    "2026-03-29 03:30",
  ],
];
for (const [rule, period, now, end] of cases)
  test(`periods: ${rule}`, (t) => {
    const found = endOf(period, localTime(new Date(now), zone));
    t.is(found && timeText(found), end);
  });

const begins: [rule: string, periods: Period[], now: string, begin: string | undefined][] = [
  ["a period that has not begun today begins today", [day], "2026-03-02T07:00:00+01:00", "2026-03-02 08:00"],
  ["a period that has begun today begins next tomorrow", [day], "2026-03-02T08:00:00+01:00", "2026-03-03 08:00"],
  [
    "a period with a day of the week begins next on that day",
    [{ ...day, days: ["SUN"] }],
    "2026-03-02T09:00:00+01:00",
    "2026-03-08 08:00",
  ],
  ["of several periods, the first to begin counts", [day, night], "2026-03-02T09:00:00+01:00", "2026-03-02 22:00"],
  [
    "a first date may be far in the future",
    [{ ...day, firstDate: "2026-12-24" }],
    "2026-03-02T09:00:00+01:00",
    "2026-12-24 08:00",
  ],
  [
    "after its last date a period never begins",
    [{ ...day, lastDate: "2026-03-02" }],
    "2026-03-02T09:00:00+01:00",
    undefined,
  ],
  [
    "a beginning in an hour that clocks skip comes at the next hour",
    [{ from: "02:30", to: "04:00" }],
    "2026-03-28T12:00:00+01:00",
    "2026-03-29 03:30",
  ],
];
for (const [rule, periods, now, begin] of begins)
  test(`periods: ${rule}`, (t) => {
    const found = nextBegin(periods, localTime(new Date(now), zone));
    t.is(found && timeText(found), begin);
  });
