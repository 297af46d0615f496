import test from "ava";
import { applyReport } from "../../../../domain/labels/apply-report.ts";
import { noteBatteryDue } from "../../../../domain/labels/care/battery-due.ts";
import { entriesOf } from "../../../../schemas/label-history.ts";
import type { LabelReport } from "../../../../schemas/label-report.ts";
import { type LabelState, newLabelState } from "../../../../schemas/label-state.ts";

const DAY_MS = 86_400_000;
const start = Date.UTC(2026, 2, 1);

/** A label's state after check-ins, one a day. */
const heard = (reports: readonly Partial<LabelReport>[], type = {}): LabelState =>
  reports.reduce<LabelState>((state, fields, day) => {
    const at = new Date(start + day * DAY_MS);
    const of = { store: "t/demo/s/main", barcode: "A1", kind: "check-in", at: at.toISOString() } as const;
    return noteBatteryDue(applyReport(state, { ...of, ...fields }, at), type, at);
  }, newLabelState());
const events = (state: LabelState) =>
  entriesOf(state.history ?? []).filter(({ event, result }) => event === "battery" && result === "replace").length;

test("a label whose battery runs out within 30 days produces one event, however often the label reports", (t) => {
  const state = heard([{ batteryMillivolts: 3_000 }, { batteryMillivolts: 2_390 }, { batteryMillivolts: 2_380 }]);
  t.is(events(state), 1);
  t.is(state.care?.replaceSince, start + DAY_MS);
});

test("a battery that is LOW must be replaced, whether or not it has a voltage", (t) => {
  t.is(events(heard([{ battery: "LOW" }, { battery: "LOW" }])), 1);
  t.is(events(heard([{ battery: "LOW", batteryMillivolts: 2_900 }])), 1);
});

test("a full battery and an unknown battery produce no event", (t) => {
  t.is(events(heard([{ battery: "OK", batteryMillivolts: 3_000 }, {}])), 0);
  t.is(heard([{ battery: "OK" }]).care, undefined);
});

test("the next battery causes its own event", (t) => {
  const low = { battery: "LOW", batteryMillivolts: 2_380 } as const;
  t.is(events(heard([low, { battery: "OK", batteryMillivolts: 3_050 }, low, low])), 2);
  t.is(events(heard([{ battery: "LOW" }, { battery: "OK" }, { battery: "LOW" }])), 2);
});

test("a label type's battery details count", (t) => {
  const report = [{ batteryMillivolts: 2_560 }];
  t.is(events(heard(report)), 0);
  const state = {
    ...newLabelState(),
    care: { since: start - 31 * DAY_MS, refreshes: 310, days: [{ day: 20_510, price: 310 }] },
  };
  const at = new Date(start);
  const of = { store: "t/demo/s/main", barcode: "A1", kind: "check-in", at: at.toISOString() } as const;
  const often = applyReport(state, { ...of, ...report[0] }, at);
  t.is(events(noteBatteryDue(often, { batteryRefreshes: 1_000 }, at)), 1);
  t.is(events(noteBatteryDue(often, { batteryRefreshes: 1_000_000 }, at)), 0);
});
