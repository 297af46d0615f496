import test from "ava";
import fc from "fast-check";
import { applyReport } from "../../../../domain/labels/apply-report.ts";
import { type LabelState, newLabelState } from "../../../../schemas/label-state.ts";
import { at, report } from "../../../workers/transmitter/states.ts";

type Report = "OK" | "LOW" | undefined;

const applyAt = (state: LabelState, battery: Report, seconds: number) =>
  applyReport(state, report("check-in", seconds, battery && { battery }), at(seconds));
/** A label with one report per second. */
const labelWithReports = (...batteries: Report[]) =>
  batteries.reduce((state, battery, second) => applyAt(state, battery, second), newLabelState());

/** A label's battery fields; dates in seconds. */
const knownOf = (state: LabelState) => ({
  battery: state.battery,
  changed: secondsOf(state.batteryStateChanged),
  confirmed: secondsOf(state.batteryStateLastConfirmed),
  firstLow: secondsOf(state.batteryStateFirstEnteredLow),
  lowSince: secondsOf(state.lowBatteryDate),
});
const secondsOf = (date: Date | undefined) => date && (date.getTime() - at(0).getTime()) / 1000;

const cases: [rule: string, reports: Report[], known: Partial<ReturnType<typeof knownOf>>][] = [
  [
    "a label that never reported its battery is UNKNOWN, without dates",
    [undefined, undefined],
    { battery: "UNKNOWN", changed: undefined, confirmed: undefined, firstLow: undefined, lowSince: undefined },
  ],
  [
    "a first report of OK is a change and begins no LOW",
    [undefined, "OK"],
    { battery: "OK", changed: 1, confirmed: 1, firstLow: undefined, lowSince: undefined },
  ],
  ["lowBatteryDate is when the current LOW began", ["OK", "LOW", "LOW", "LOW"], { lowSince: 1, changed: 1 }],
  [
    "lowBatteryDate is absent when the battery is OK",
    ["LOW", "OK"],
    { battery: "OK", lowSince: undefined, changed: 1 },
  ],
  ["a second LOW starts again", ["LOW", "OK", "LOW", "LOW"], { lowSince: 2 }],
  ["the date of the first LOW is stored", ["OK", "LOW", "OK", "LOW"], { firstLow: 1, lowSince: 3 }],
  ["the date of the first LOW is stored while the battery is OK", ["LOW", "OK", "OK"], { firstLow: 0 }],
  ["each report confirms the state, changed or not", ["LOW", "LOW", "LOW"], { confirmed: 2 }],
  ["a report without a battery confirms nothing", ["LOW", undefined], { battery: "LOW", confirmed: 0, lowSince: 0 }],
];
for (const [rule, reports, known] of cases) {
  test(rule, (t) => t.like(knownOf(labelWithReports(...reports)), known));
}

test("a late report leaves everything known about the battery unchanged", (t) => {
  const state = labelWithReports("OK", "LOW", "OK");
  t.deepEqual(knownOf(applyAt(state, "LOW", 0.5)), knownOf(state));
});

test("an acknowledgement and a failure report the battery, like a check-in", (t) => {
  for (const kind of ["acknowledged", "failed", "check-in"] as const) {
    const state = applyReport(newLabelState(), report(kind, 4, { battery: "LOW" }), at(4));
    t.like(knownOf(state), { battery: "LOW", lowSince: 4, firstLow: 4, confirmed: 4 });
  }
});

test("after any series of reports, the dates follow from all of them", (t) => {
  const anyReports = fc.array(fc.constantFrom<Report[]>("OK", "LOW", undefined), { maxLength: 12 });
  fc.assert(
    fc.property(anyReports, (reports) => {
      const reported = reports.flatMap((battery, second) => (battery ? [{ battery, second }] : []));
      const present = reported.at(-1)?.battery;
      const changes = reported.filter(({ battery }, index) => battery !== reported[index - 1]?.battery);
      t.deepEqual(knownOf(labelWithReports(...reports)), {
        battery: present ?? "UNKNOWN",
        changed: changes.at(-1)?.second,
        confirmed: reported.at(-1)?.second,
        firstLow: reported.find(({ battery }) => battery === "LOW")?.second,
        lowSince: present === "LOW" ? changes.at(-1)?.second : undefined,
      });
    }),
    { numRuns: 300 },
  );
});
