import test from "ava";
import { applyReport } from "../../../../domain/labels/apply-report.ts";
import { type LabelState, newLabelState } from "../../../../schemas/label-state.ts";
import { acknowledged, at, begun, picture, report, sendingState } from "../../../workers/transmitter/states.ts";

test("a report about a transmission that is no longer stored shows only that the label was reached", (t) => {
  const state = sendingState("a");
  for (const transmission of [7, undefined]) {
    const fields = transmission === undefined ? {} : { transmission };
    t.deepEqual(applyReport(state, report("acknowledged", 3, fields), at(3)), { ...state, lastSeen: at(3) });
  }
});

test("an unknown transmission makes only its own page's previous picture uncertain", (t) => {
  const shown = [
    { page: 0, image: "a", deliveredAt: at(1), through: 1 },
    { page: 1, image: "b", deliveredAt: at(1), through: 2 },
  ];
  const wanted = picture("a", "b").pages.slice();
  const still: LabelState = { ...newLabelState(), wanted, shown, transmissions: 100 };
  const forgotten = applyReport(still, report("acknowledged", 5, { transmission: 99, page: 1 }), at(6));
  t.deepEqual(forgotten.shown, shown.slice(0, 1));
  t.deepEqual(forgotten.sendDue, at(6));
  const early = applyReport(still, report("acknowledged", 1, { transmission: 99, page: 1 }), at(6));
  t.deepEqual([early.shown, early.sendDue], [shown, undefined]);
  const due = { ...still, sendDue: at(9) };
  t.deepEqual(applyReport(due, report("acknowledged", 5, { transmission: 99, page: 1 }), at(6)).sendDue, at(9));
});

test("if an unknown transmission was the last to arrive on its page, the wanted picture is sent again", (t) => {
  const shown = { ...acknowledged(sendingState("a"), 1, 3), transmissions: 100 };
  const unknown = (seconds: number, transmission = 99) =>
    applyReport(shown, report("acknowledged", seconds, { transmission, page: 0 }), at(9));
  t.like(unknown(5), { shown: [], sendDue: at(9) }, "it is due immediately, even if the label server's clock is ahead");
  t.like(unknown(3600), { shown: [], sendDue: at(9) });
  t.like(begun(unknown(5), at(9)).sending, { number: 101, image: "a" });
  t.deepEqual(unknown(2).shown, shown.shown, "an unknown transmission that landed earlier changes nothing");
  t.like(unknown(2, 101), { shown: [], sendDue: at(9) }, "a larger number than any known number landed later");
});

test("an unknown transmission that landed before its page's last known one does not change the page", (t) => {
  const shown = { ...acknowledged(sendingState("a"), 1, 5), transmissions: 100 };
  const wanting = { ...shown, wanted: [{ page: 0, image: "b" }], sendDue: undefined };
  const late = applyReport(wanting, report("acknowledged", 5, { transmission: 99, page: 0 }), at(9));
  t.like(late, { shown: [{ page: 0, image: "a" }], sendDue: undefined });
  const after = applyReport(wanting, report("acknowledged", 6, { transmission: 99, page: 0 }), at(9));
  t.like(after, { shown: [], sendDue: at(9) });
});
