import test from "ava";
import { quietUntil } from "../../../../domain/labels/care/quiet-hours.ts";

const night = { from: "22:00", to: "06:00" };
const noon = { from: "12:30", to: "14:00" };
const cases: [rule: string, hours: { from: string; to: string } | undefined, now: string, until: string | undefined][] =
  [
    ["a store without quiet hours is never quiet", undefined, "2026-03-02T23:00:00+01:00", undefined],
    ["quiet hours begin at their first minute", night, "2026-03-02T22:00:00+01:00", "2026-03-03T06:00:00+01:00"],
    ["quiet hours do not begin a second early", night, "2026-03-02T21:59:59+01:00", undefined],
    ["after midnight quiet hours end on the same day", night, "2026-03-03T05:59:59+01:00", "2026-03-03T06:00:00+01:00"],
    ["at their end quiet hours are over", night, "2026-03-03T06:00:00+01:00", undefined],
    ["quiet hours may lie within a day", noon, "2026-03-02T13:00:00+01:00", "2026-03-02T14:00:00+01:00"],
    ["outside of quiet hours there is no end", noon, "2026-03-02T14:00:00+01:00", undefined],
    ["the times are the store's, not the server's", night, "2026-03-02T21:30:00Z", "2026-03-03T05:00:00Z"],
    ["a night in which clocks go forward is shorter", night, "2026-03-28T23:00:00+01:00", "2026-03-29T06:00:00+02:00"],
    ["a night in which clocks go back is longer", night, "2026-10-24T23:00:00+02:00", "2026-10-25T06:00:00+01:00"],
    [
      "an end in an hour that clocks skip comes at the next hour",
      { from: "22:00", to: "02:30" },
      "2026-03-28T23:00:00+01:00",
      "2026-03-29T03:30:00+02:00",
    ],
  ];
for (const [rule, quietHours, now, until] of cases)
  test(`quiet hours: ${rule}`, (t) => {
    const store = { timeZone: "Europe/Zagreb", ...(quietHours && { quietHours }) };
    t.is(quietUntil(store, new Date(now))?.toISOString(), until && new Date(until).toISOString());
  });
