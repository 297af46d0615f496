import test from "ava";
import fc from "fast-check";
import { applyReport } from "../../../../domain/labels/apply-report.ts";
import { entriesOf } from "../../../../schemas/label-history.ts";
import { newLabelState } from "../../../../schemas/label-state.ts";
import { at, report, sendingState } from "../../../workers/transmitter/states.ts";
import { checkIn } from "./reported.ts";

test("a check-in acknowledges nothing, whatever it names, and an older one does not set lastSeen back", (t) => {
  const state = checkIn(sendingState("a"), 3, { transmission: 1 });
  t.like(state, { shown: [], sending: { number: 1 }, lastSeen: at(3) });
  t.deepEqual(checkIn(state, 2).lastSeen, at(3));
});

test("a check-in by itself sends and shows nothing", (t) => {
  const state = sendingState("a");
  t.deepEqual(checkIn(state, 3), { ...state, lastSeen: at(3), checksIn: true });
});

test("every report shows that the label was reached, and an older report does not set this back", (t) => {
  for (const kind of ["acknowledged", "failed", "check-in"] as const) {
    const seen = applyReport(newLabelState(), report(kind, 5), at(5));
    t.deepEqual(seen.lastSeen, at(5));
    t.deepEqual(applyReport(seen, report(kind, 4), at(6)).lastSeen, at(5));
    t.deepEqual(applyReport(seen, report(kind, 7), at(7)).lastSeen, at(7));
  }
});

test("of two reports at the same time, the later arrival counts", (t) => {
  const first = checkIn(newLabelState(), 5, { battery: "OK", transceiver: "T1", hardwareRevision: "1" });
  const second = checkIn(first, 5, { battery: "LOW", transceiver: "T2", hardwareRevision: "2" });
  t.like(second, { battery: "LOW", transceivers: ["T2", "T1"], hardwareRevision: "2", lastSeen: at(5) });
});

test("a battery change is in the label's history", (t) => {
  const low = checkIn(sendingState("a"), 3, { battery: "LOW" });
  const [last] = entriesOf(checkIn(low, 4, { battery: "LOW" }).history ?? []);
  t.like(last, { at: at(3).getTime(), event: "battery", result: "LOW" });
});

test("the newest report sets the hardware revision, and a report without a revision keeps it", (t) => {
  const known = checkIn(checkIn(newLabelState(), 5, { hardwareRevision: "B" }), 3, { hardwareRevision: "A" });
  t.is(known.hardwareRevision, "B");
  t.is(checkIn(known, 6).hardwareRevision, "B");
  t.is(checkIn(known, 7, { hardwareRevision: "C" }).hardwareRevision, "C");
});

test("transceivers are stored newest first, each once, at most eight", (t) => {
  const transceiver = fc.integer({ min: 1, max: 12 }).map(String);
  fc.assert(
    fc.property(fc.array(transceiver, { maxLength: 40, size: "max" }), (names) => {
      const state = names.reduce(
        (known, latest, second) => checkIn(known, second, { transceiver: latest }),
        newLabelState(),
      );
      t.deepEqual(state.transceivers, [...new Set([...names].reverse())].slice(0, 8));
    }),
  );
});

test("a late report does not put its transceiver first", (t) => {
  const known = checkIn(newLabelState(), 5, { transceiver: "2" });
  t.deepEqual(checkIn(known, 4, { transceiver: "1" }).transceivers, ["2"]);
});
