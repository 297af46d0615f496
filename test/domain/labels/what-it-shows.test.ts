import test from "ava";
import { applyReport } from "../../../domain/labels/apply-report.ts";
import { type LabelState, newLabelState } from "../../../schemas/label-state.ts";
import { at, report } from "../../workers/transmitter/states.ts";

const sent = [
  { number: 1, page: 0, image: "a" },
  { number: 2, page: 0, image: "b" },
];
/** A label that acknowledged "b" at second 10 and should show it. */
const shown: LabelState = {
  ...newLabelState(),
  wanted: [{ page: 0, image: "b" }],
  shown: [{ page: 0, image: "b", deliveredAt: at(10), through: 2, number: 2 }],
  sent,
  transmissions: 2,
};
/** The label's state after a check-in at the given second. */
const checkedIn = (state: LabelState, seconds: number, ...shows: { page: number; transmission?: number }[]) =>
  applyReport(state, report("check-in", seconds, { shows }), at(30));

const agreeing: [what: string, seconds: number, shows: { page: number; transmission?: number }[]][] = [
  ["the acknowledged picture", 20, [{ page: 0, transmission: 2 }]],
  ["nothing about its pages", 20, []],
  ["another picture, before the acknowledged one arrived", 9, [{ page: 0, transmission: 1 }]],
  ["another picture at the time of the acknowledgement", 10, [{ page: 0, transmission: 1 }]],
  ["a page that is unknown", 20, [{ page: 1, transmission: 7 }]],
];
for (const [what, seconds, shows] of agreeing) {
  test(`a check-in with ${what} changes nothing`, (t) => {
    const { shown: known, sendDue } = checkedIn(shown, seconds, ...shows);
    t.deepEqual([known, sendDue], [shown.shown, undefined]);
  });
}

test("a label that reports an earlier picture is believed, and the wanted picture is sent", (t) => {
  t.like(checkedIn(shown, 20, { page: 0, transmission: 1 }), {
    shown: [{ page: 0, image: "a", number: 1, deliveredAt: at(20) }],
    sendDue: at(30),
  });
});

test("if a label reports that it shows nothing or an unknown picture, its picture is unknown", (t) => {
  for (const transmission of [undefined, 99]) {
    const shows = { page: 0, ...(transmission !== undefined && { transmission }) };
    t.like(checkedIn(shown, 20, shows), { shown: [], sendDue: at(30) });
  }
});

test("a check-in that shows the picture being sent changes nothing: its acknowledgement will follow, and it is not sent twice", (t) => {
  const sending = { number: 3, page: 0, image: "c" };
  const state = { ...shown, wanted: [{ page: 0, image: "c" }], sending, sent: [...sent, sending], sendDue: at(40) };
  t.like(checkedIn(state, 20, { page: 0, transmission: 3 }), { shown: shown.shown, sendDue: at(40) });
});

test("while a retry is due, a contradiction does not make it due earlier", (t) => {
  const sending = { number: 3, page: 0, image: "c" };
  const state = { ...shown, wanted: [{ page: 0, image: "c" }], sending, sent: [...sent, sending], sendDue: at(40) };
  const believed = checkedIn(state, 20, { page: 0, transmission: 1 });
  t.like(believed, { sendDue: at(40), shown: [{ image: "a", uncertain: true }] });
});
