import test from "ava";
import fc from "fast-check";
import { instantOf, timestampField, timestampFields } from "../../../domain/expression/timestamps.ts";

const instants: [text: string, instant: string | undefined][] = [
  ["2026-01-31T08:00:00Z", "2026-01-31T08:00:00.000Z"],
  ["2026-01-31t08:00:00z", "2026-01-31T08:00:00.000Z"],
  ["2026-01-31T08:00:00+01:00", "2026-01-31T07:00:00.000Z"],
  ["2026-01-31T08:00:00.5-02:30", "2026-01-31T10:30:00.500Z"],
  ["2026-01-31T08:00:00.123456789Z", "2026-01-31T08:00:00.123Z"],
  ["2024-02-29T00:00:00Z", "2024-02-29T00:00:00.000Z"],
  ["0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"],
  ["9999-12-31T23:59:59Z", "9999-12-31T23:59:59.000Z"],
  ["0001-01-01T00:00:00+01:00", undefined],
  ["9999-12-31T23:59:59-01:00", undefined],
  ["2026-00-10T00:00:00Z", undefined],
  ["2026-04-31T00:00:00Z", undefined],
  ["2026-02-29T00:00:00Z", undefined],
  ["2026-13-01T00:00:00Z", undefined],
  ["2026-01-31T24:00:00Z", undefined],
  ["2026-01-31T08:00:00", undefined],
  ["2026-01-31 08:00:00Z", undefined],
  ["2026-01-31", undefined],
  ["January 31, 2026 08:00:00 UTC", undefined],
  ["on 2026-01-31T08:00:00Z", undefined],
  ["2026-01-31T08:00:00Z or so", undefined],
  ["", undefined],
];
for (const [text, instant] of instants) {
  test(`"${text}" is ${instant ?? "no timestamp"}`, (t) => t.is(instantOf(text)?.toISOString(), instant));
}

const at = new Date("2026-07-01T22:30:45.678Z");
const fields: [name: string, utc: bigint, zagreb: bigint][] = [
  ["getFullYear", 2026n, 2026n],
  ["getMonth", 6n, 6n],
  ["getDate", 1n, 2n],
  ["getDayOfMonth", 0n, 1n],
  ["getDayOfWeek", 3n, 4n],
  ["getDayOfYear", 181n, 182n],
  ["getHours", 22n, 0n],
  ["getMinutes", 30n, 30n],
  ["getSeconds", 45n, 45n],
  ["getMilliseconds", 678n, 678n],
];
for (const [name, utc, zagreb] of fields) {
  test(`${name} reads a field in UTC or in the named zone`, (t) => {
    t.is(timestampField(name, at), utc);
    t.is(timestampField(name, at, "UTC"), utc);
    t.is(timestampField(name, at, "Europe/Zagreb"), zagreb);
    t.is(timestampField(name, at, "+02:00"), zagreb);
    t.is(timestampField(name, at, "02:00"), zagreb);
  });
}

test("every field is tested", (t) => {
  t.deepEqual(
    fields.map(([name]) => name),
    timestampFields,
  );
});

test("an unknown zone is an error", (t) => {
  for (const zone of ["Europe/Atlantis", "25:00", "", "x".repeat(64)])
    t.throws(() => timestampField("getHours", at, zone), { message: /is not a time zone/ });
  t.throws(() => timestampField("getHours", at, "x".repeat(4096)), { message: /at most 64 characters, not 4096/ });
});

test("a century has a leap day only if 400 divides it", (t) => {
  const dayOf = (date: string) => timestampField("getDayOfYear", new Date(date));
  t.deepEqual([dayOf("1900-02-28"), dayOf("1900-03-01"), dayOf("1904-03-01")], [58n, 59n, 60n]);
  t.deepEqual([dayOf("2000-02-28"), dayOf("2000-03-01"), dayOf("2001-03-01")], [58n, 60n, 59n]);
});

test("the day of the year counts the days since 1 January", (t) => {
  const years = fc.integer({ min: 1, max: 9998 });
  fc.assert(
    fc.property(years, fc.nat({ max: 364 }), (year, day) => {
      const date = new Date(0);
      date.setUTCFullYear(year, 0, 1 + day);
      t.is(timestampField("getDayOfYear", date), BigInt(day));
    }),
  );
});

test("a zone is less than a day from UTC", (t) => {
  for (const hours of ["00", "01", "19", "20", "23"]) {
    const utc = Date.UTC(2026, 0, 2) - Number(hours) * 3_600_000;
    t.is(instantOf(`2026-01-02T00:00:00+${hours}:00`)?.getTime(), utc, hours);
  }
  for (const zone of ["+24:00", "-30:00", "+1:00", "+01:60", "+0100", ""])
    t.is(instantOf(`2026-01-02T00:00:00${zone}`), undefined);
});
