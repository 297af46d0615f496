import test from "ava";
import fc from "fast-check";
import { instantOfStoreTime } from "../../../domain/times/store-time.ts";

const at = (instant: string): number => new Date(instant).getTime();

const cases: [rule: string, validFrom: string, timeZone: string, instant: string][] = [
  ["a local time is in the store's zone", "2026-01-15 10:00:00", "Europe/Zagreb", "2026-01-15T09:00:00Z"],
  ["daylight saving time applies", "2026-07-15 10:00:00", "Europe/Zagreb", "2026-07-15T08:00:00Z"],
  ["a zone's offset may include half an hour", "2026-07-15 10:00:00", "Asia/Kolkata", "2026-07-15T04:30:00Z"],
  ["the last second before the gap", "2026-03-29 01:59:59", "Europe/Zagreb", "2026-03-29T00:59:59Z"],
  ["the first second of the gap runs at the gap's end", "2026-03-29 02:00:00", "Europe/Zagreb", "2026-03-29T01:00:00Z"],
  ["the middle of the gap runs at the gap's end", "2026-03-29 02:30:00", "Europe/Zagreb", "2026-03-29T01:00:00Z"],
  ["the last second of the gap runs at the gap's end", "2026-03-29 02:59:59", "Europe/Zagreb", "2026-03-29T01:00:00Z"],
  ["the end of the gap", "2026-03-29 03:00:00", "Europe/Zagreb", "2026-03-29T01:00:00Z"],
  ["before the repeated hour", "2026-10-25 01:59:59", "Europe/Zagreb", "2026-10-24T23:59:59Z"],
  ["a repeated time runs the first time", "2026-10-25 02:00:00", "Europe/Zagreb", "2026-10-25T00:00:00Z"],
  [
    "the last second of the repeated hour runs the first time",
    "2026-10-25 02:59:59",
    "Europe/Zagreb",
    "2026-10-25T00:59:59Z",
  ],
  ["after the repeated hour", "2026-10-25 03:00:00", "Europe/Zagreb", "2026-10-25T02:00:00Z"],
  ["a gap of half an hour", "2026-10-04 02:15:00", "Australia/Lord_Howe", "2026-10-03T15:30:00Z"],
  ["a skipped day runs at its end", "2011-12-30 12:00:00", "Pacific/Apia", "2011-12-30T10:00:00Z"],
  ["the last second of the calendar", "9999-12-31 23:59:59", "UTC", "9999-12-31T23:59:59Z"],
];
for (const [rule, validFrom, timeZone, instant] of cases) {
  test(`${rule}: ${validFrom} in ${timeZone}`, (t) => t.is(instantOfStoreTime(validFrom, timeZone), at(instant)));
}

test("a later local time is never due before an earlier one, whatever the clock changes", (t) => {
  const minutes = fc.nat(60 * 24 * 2);
  const local = (day: string) => (minute: number) =>
    new Date(at(`${day}T00:00:00Z`) + minute * 60_000).toISOString().slice(0, 19).replace("T", " ");
  fc.assert(
    fc.property(fc.constantFrom("2026-03-28", "2026-10-24"), minutes, minutes, (day, one, other) => {
      const [earlier, later] = [Math.min(one, other), Math.max(one, other)].map(local(day)) as [string, string];
      t.true(
        instantOfStoreTime(earlier, "Europe/Zagreb") <= instantOfStoreTime(later, "Europe/Zagreb"),
        `${earlier}, ${later}`,
      );
    }),
  );
});
