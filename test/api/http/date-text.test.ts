import test from "ava";
import fc from "fast-check";
import { Temporal } from "temporal-polyfill";
import { createDateText } from "../../../api/http/date-text.ts";

const ZONES = [
  "UTC",
  "Europe/Zagreb",
  "America/St_Johns",
  "Australia/Lord_Howe",
  "Asia/Kathmandu",
  "Africa/Casablanca",
];

const zoned = (date: Date, timeZone: string) =>
  Temporal.Instant.fromEpochMilliseconds(date.getTime()).toZonedDateTimeISO(timeZone);

test("a date follows the zone's own calendar and clock in both forms", (t) => {
  const dates = fc.date({ min: new Date("1990-01-01Z"), max: new Date("2037-01-01Z"), noInvalidDate: true });
  fc.assert(
    fc.property(fc.constantFrom(...ZONES), fc.array(dates, { minLength: 1, maxLength: 20 }), (zone, some) => {
      const iso = createDateText(zone, true);
      const plain = createDateText(zone, false);
      for (const date of some) {
        t.is(iso(date), zoned(date, zone).toString({ fractionalSecondDigits: 3, timeZoneName: "never" }));
        const text = zoned(date, zone).toString({ smallestUnit: "second", timeZoneName: "never", offset: "never" });
        t.is(plain(date), text.replace("T", " "));
      }
    }),
    { numRuns: 200 },
  );
});

test("when the offset changes during a day, times before and after have their own offset", (t) => {
  const iso = createDateText("Europe/Zagreb", true);
  t.deepEqual(
    ["2026-03-29T00:59:59.999Z", "2026-03-29T01:00:00Z", "2026-10-25T00:59:59.999Z", "2026-10-25T01:00:00Z"].map(
      (text) => iso(new Date(text)),
    ),
    [
      "2026-03-29T01:59:59.999+01:00",
      "2026-03-29T03:00:00.000+02:00",
      "2026-10-25T02:59:59.999+02:00",
      "2026-10-25T02:00:00.000+01:00",
    ],
  );
});
