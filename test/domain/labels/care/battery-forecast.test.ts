import test from "ava";
import fc from "fast-check";
import {
  type BatteryFacts,
  type BatteryForecast,
  batteryForecast,
  daysOfRefresh,
  isDueWithin,
} from "../../../../domain/labels/care/battery-forecast.ts";
import { DAY_MS, type VoltageSample } from "../../../../schemas/care.ts";

const now = new Date("2026-03-31T12:00:00Z");
const sample = (daysAgo: number, millivolts: number, temperature?: number): VoltageSample => ({
  ...{ at: now.getTime() - daysAgo * DAY_MS, millivolts },
  ...(temperature !== undefined && { temperature }),
});
const facts = (fields: Partial<BatteryFacts>): BatteryFacts => ({
  ...{ battery: "OK", voltages: [], refreshesPerDay: 2 },
  ...fields,
});
/** Weekly samples; the last one is from now. */
const weekly = (...millivolts: number[]) =>
  millivolts.map((one, index) => sample(7 * (millivolts.length - 1 - index), one));

const cases: [rule: string, known: Partial<BatteryFacts>, forecast: BatteryForecast | undefined][] = [
  ["an OK battery without a voltage has no forecast", {}, undefined],
  ["a battery that was never reported has no forecast", { battery: "UNKNOWN" }, undefined],
  ["LOW means a few weeks", { battery: "LOW" }, { daysLeft: 14, earliest: 0, latest: 30, basis: "low" }],
  [
    "a high voltage gives a wide range",
    { voltages: [sample(0, 3_000)] },
    { daysLeft: 1477, earliest: 844, latest: 2110, basis: "voltage" },
  ],
  [
    "a low voltage gives a narrow range",
    { voltages: [sample(0, 2_500)] },
    { daysLeft: 53, earliest: 0, latest: 105, basis: "voltage" },
  ],
  [
    "the battery of a label that refreshes more often runs out earlier",
    { voltages: [sample(0, 2_600)], refreshesPerDay: 20 },
    { daysLeft: 26, earliest: 9, latest: 44, basis: "voltage" },
  ],
  [
    "a battery that lasts for more refreshes runs out later",
    { voltages: [sample(0, 2_600)], refreshesPerDay: 20, batteryRefreshes: 100_000 },
    { daysLeft: 127, earliest: 42, latest: 211, basis: "voltage" },
  ],
  [
    "days since the measurement count",
    { voltages: [sample(20, 2_500)] },
    { daysLeft: 33, earliest: 0, latest: 85, basis: "voltage" },
  ],
  [
    "a voltage measured in the cold means a fuller battery",
    { voltages: [sample(0, 2_500, -20)] },
    { daysLeft: 264, earliest: 105, latest: 422, basis: "voltage" },
  ],
  [
    "a voltage measured at a higher temperature does not mean a fuller battery",
    { voltages: [sample(0, 2_500, 35)] },
    { daysLeft: 53, earliest: 0, latest: 105, basis: "voltage" },
  ],
  [
    "a battery with a steadily falling voltage runs out at the minimum voltage",
    { voltages: weekly(2_660, 2_650, 2_640, 2_630, 2_620) },
    { daysLeft: 154, earliest: 77, latest: 211, basis: "trend" },
  ],
  [
    "a trend's forecast stays within the range for the voltage",
    { voltages: weekly(2_622, 2_622, 2_621, 2_621, 2_620) },
    { daysLeft: 211, earliest: 105, latest: 211, basis: "trend" },
  ],
  [
    "three weeks are too short for a trend",
    { voltages: weekly(2_640, 2_630, 2_620) },
    { daysLeft: 127, earliest: 42, latest: 211, basis: "voltage" },
  ],
  [
    "above the knee of the curve a fall is not a trend",
    { voltages: weekly(2_960, 2_950, 2_940, 2_930, 2_920) },
    { daysLeft: 1055, earliest: 422, latest: 1688, basis: "voltage" },
  ],
  [
    "if the battery is LOW and has a voltage, the earlier of both forecasts counts",
    { battery: "LOW", voltages: [sample(0, 2_390)], refreshesPerDay: 20 },
    { daysLeft: 2, earliest: 0, latest: 4, basis: "low" },
  ],
];
for (const [rule, known, forecast] of cases)
  test(`battery forecast: ${rule}`, (t) => t.deepEqual(batteryForecast(facts(known), now), forecast));

test("whatever is reported, the forecast is within its range and never negative", (t) => {
  const samples = fc.array(
    fc.record({
      at: fc.integer({ min: now.getTime() - 400 * DAY_MS, max: now.getTime() + DAY_MS }),
      millivolts: fc.integer({ min: 0, max: 10_000 }),
      temperature: fc.double({ min: -40, max: 80, noNaN: true }),
    }),
  );
  const battery = fc.constantFrom("OK" as const, "LOW" as const, "UNKNOWN" as const);
  const rate = fc.double({ min: 0, max: 1_000, noNaN: true });
  fc.assert(
    fc.property(samples, battery, rate, (voltages, state, refreshesPerDay) => {
      const forecast = batteryForecast({ battery: state, voltages, refreshesPerDay }, now);
      if (forecast === undefined) return t.true(voltages.length === 0 && state !== "LOW");
      const { daysLeft, earliest, latest } = forecast;
      t.true(earliest >= 0 && earliest <= daysLeft && daysLeft <= latest, JSON.stringify(forecast));
    }),
  );
});

test("a refresh costs a fraction of a day: more if the label seldom refreshes", (t) => {
  const cost = (refreshesPerDay: number) => Math.round(10 * daysOfRefresh({ refreshesPerDay })) / 10;
  t.deepEqual([0, 0.5, 2, 20].map(cost), [0.4, 0.3, 0.2, 0]);
});

test("a battery is due within a number of days if its forecast is at most that many, and never without a forecast", (t) => {
  t.true(isDueWithin({ daysLeft: 30 }, 30));
  t.false(isDueWithin({ daysLeft: 31 }, 30));
  t.false(isDueWithin(undefined, 30));
});
