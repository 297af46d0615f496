import test from "ava";
import { applyReport } from "../../../../domain/labels/apply-report.ts";
import { pagesToSend } from "../../../../domain/labels/pages-to-send.ts";
import { type LabelState, newLabelState } from "../../../../schemas/label-state.ts";
import { at, picture, report } from "../../../workers/transmitter/states.ts";

const acknowledged = (state: LabelState, transmission: number, seconds: number): LabelState =>
  applyReport(state, report("acknowledged", seconds, { transmission }), at(seconds));

/** Both pages are shown and were requested again after transmission 2; transmission 4 is in the air. */
const refreshing: LabelState = {
  ...newLabelState(),
  wanted: [...picture("a", "b").pages],
  shown: [
    { page: 0, image: "a", deliveredAt: at(1), through: 1 },
    { page: 1, image: "b", deliveredAt: at(2), through: 2 },
  ],
  sent: [
    { number: 2, page: 1, image: "b" },
    { number: 3, page: 0, image: "a" },
    { number: 4, page: 1, image: "b" },
  ],
  sending: { number: 4, page: 1, image: "b" },
  transmissions: 4,
  refreshing: { pages: [0, 1], after: 2 },
};

test("a refresh waits for each page and ends with the last page", (t) => {
  const one = acknowledged(refreshing, 3, 5);
  t.deepEqual(one.refreshing, { pages: [1], after: 2 });
  t.deepEqual(
    pagesToSend(one).map(({ page }) => page),
    [1],
  );
  const both = acknowledged(one, 4, 6);
  t.is(both.refreshing, undefined);
  t.is(both.sendDue, undefined);
  t.deepEqual(pagesToSend(both), []);
});

test("a transmission that began before the refresh does not end it for any page", (t) => {
  t.deepEqual(acknowledged(refreshing, 2, 5).refreshing, refreshing.refreshing);
});

test("a label without a refresh has none after a report", (t) => {
  t.is(acknowledged({ ...refreshing, refreshing: undefined }, 4, 5).refreshing, undefined);
});

test("pages that land out of order are stored in page order", (t) => {
  const pages = acknowledged(acknowledged({ ...refreshing, shown: [] }, 4, 5), 3, 6).shown.map(({ page }) => page);
  t.deepEqual(pages, [0, 1]);
});

test("another page's picture and delivery time do not count for a page", (t) => {
  const late = { ...refreshing, shown: [{ page: 0, image: "a", deliveredAt: at(9), through: 4 }] };
  t.like(acknowledged(late, 4, 5).shown[1], { page: 1, image: "b", deliveredAt: at(5) });
});

test("of two deliveries at the same time, the larger number counts, and an earlier delivery never does", (t) => {
  const sent = [
    { number: 3, page: 0, image: "a" },
    { number: 4, page: 0, image: "c" },
  ];
  const state = acknowledged({ ...refreshing, sent, sending: undefined }, 4, 5);
  t.like(state.shown[0], { image: "c", deliveredAt: at(5), through: 4 });
  t.like(acknowledged(state, 3, 5).shown[0], { image: "c" });
  t.like(acknowledged(acknowledged({ ...state, shown: [] }, 3, 5), 4, 5).shown[0], { image: "c" });
  t.like(acknowledged(state, 3, 4).shown[0], { image: "c" });
  t.like(acknowledged(state, 4, 4).shown[0], { image: "c", deliveredAt: at(5) });
});
