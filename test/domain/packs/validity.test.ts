import test from "ava";
import { dormantAt, faultOfPeriod, instantOfEnd } from "../../../domain/packs/validity.ts";
import type { Scenario } from "../../../schemas/design.ts";

const ZAGREB = "Europe/Zagreb";

test("a day and a local time are in the store's zone, and a time with an offset is the same everywhere", (t) => {
  const instants: [text: string, zone: string, instant: string][] = [
    ["2026-12-24", ZAGREB, "2026-12-23T23:00:00Z"],
    ["2026-12-24", "America/New_York", "2026-12-24T05:00:00Z"],
    ["2026-12-24T06:30", ZAGREB, "2026-12-24T05:30:00Z"],
    ["2026-12-24 06:30:15", ZAGREB, "2026-12-24T05:30:15Z"],
    ["2026-12-24T06:30:00.000Z", ZAGREB, "2026-12-24T06:30:00Z"],
    ["2026-12-24T06:30Z", ZAGREB, "2026-12-24T06:30:00Z"],
    ["2026-12-24t06:30:00+02:00", "America/New_York", "2026-12-24T04:30:00Z"],
    // Half past two is skipped in March and occurs twice in October.
    ["2027-03-28T02:30", ZAGREB, "2027-03-28T01:00:00Z"],
    ["2026-10-25T02:30", ZAGREB, "2026-10-25T00:30:00Z"],
  ];
  for (const [text, zone, instant] of instants)
    t.is(new Date(instantOfEnd(text, zone) ?? Number.NaN).getTime(), Date.parse(instant), `${text} in ${zone}`);
});

test("an invalid end and an end that is not after the beginning are refused with advice", (t) => {
  for (const text of [
    "",
    "soon",
    "2026",
    "24.12.2026",
    "2026-02-30",
    "2026-12-24T25:00",
    "2026-12-24T06:00[Europe/Zagreb]",
  ]) {
    t.is(instantOfEnd(text, ZAGREB), undefined, text);
    t.like(faultOfPeriod({ from: text }), { field: "from" });
    t.true(
      faultOfPeriod({ from: "2026-01-01", to: text })?.detail.startsWith(`"${text}" is neither a day nor a time`),
      text,
    );
  }
  t.deepEqual(faultOfPeriod({ from: "2026-12-24", to: "2026-12-24T00:00" }), {
    field: "to",
    detail: '"2026-12-24T00:00" is not later than "2026-12-24", so the scenario would never apply',
  });
  for (const period of [
    {},
    { from: "2026-12-24" },
    { to: "2026-12-24" },
    { from: "2026-12-24", to: "2026-12-24T00:01" },
  ])
    t.is(faultOfPeriod(period), undefined, JSON.stringify(period));
});

test("a scenario is dormant before its period begins and after it ends, whatever its parents are", (t) => {
  const scenario = (id: string, validityPeriod: Scenario["validityPeriod"], children: Scenario[] = []): Scenario => ({
    id,
    name: id,
    design_ids: [],
    ...(validityPeriod && { validityPeriod }),
    children,
  });
  const scenarios = [
    scenario("week", { from: "2026-12-20", to: "2026-12-27" }, [
      scenario("eve", { from: "2026-12-24", to: "2026-12-25" }),
    ]),
    scenario("until", { to: "2026-12-24" }),
    scenario("open", {}),
    scenario("always", undefined),
  ];
  const at = (time: string) => dormantAt(scenarios, ZAGREB, Date.parse(time));
  t.deepEqual(at("2026-12-23T22:59:59.999Z"), ["eve"]);
  t.deepEqual(at("2026-12-23T23:00:00.000Z"), ["until"]);
  t.deepEqual(at("2026-12-24T22:59:59.999Z"), ["until"]);
  t.deepEqual(at("2026-12-24T23:00:00.000Z"), ["eve", "until"]);
  t.deepEqual(at("2027-01-01T00:00:00.000Z"), ["week", "eve", "until"]);
});
