import test from "ava";
import { giveUp } from "../../../../domain/labels/next-transmission.ts";
import { wantImage } from "../../../../workers/transmitter/wanted-image.ts";
import { acknowledged, at, begun, picture, sendingState, settings } from "../../../workers/transmitter/states.ts";
import { superseded } from "./reported.ts";

test("an acknowledged picture is shown since the label server's delivery time, and nothing is due", (t) => {
  t.like(acknowledged(sendingState("a"), 1, 3, 4), {
    shown: [{ page: 0, image: "a", deliveredAt: at(3) }],
    sending: undefined,
    sendDue: undefined,
    tries: 0,
  });
});

test("an acknowledgement that leaves another page wrong makes that page due immediately", (t) => {
  t.deepEqual(acknowledged(sendingState("a", "b"), 1, 3, 4).sendDue, at(4));
});

test("an acknowledgement of an outdated picture makes the wanted one due immediately", (t) => {
  t.deepEqual(acknowledged(wantImage(sendingState("a"), picture("b"), at(0.5)), 1, 3, 4).sendDue, at(4));
});

test("a superseded transmission that lands late is what the label shows, so the wanted picture is sent again", (t) => {
  const state = acknowledged(acknowledged(superseded, 2, 3), 1, 5, 6);
  t.like(state, { shown: [{ page: 0, image: "a", deliveredAt: at(5) }], sendDue: at(6) });
  t.like(begun(state, at(6)).sending, { number: 3, image: "b" });
});

test("a superseded transmission that lands while the next is under way does not stop it", (t) => {
  const state = acknowledged(superseded, 1, 1.5);
  t.like(state, { shown: [{ image: "a" }], sending: { number: 2 }, tries: 1, sendDue: superseded.sendDue });
});

test("a failed label stays in ERROR when a superseded transmission lands, and is sent its picture immediately", (t) => {
  const given = giveUp(superseded, 2, { reason: "too large" }, at(2), settings);
  const state = acknowledged(given, 1, 5);
  t.like(state, { shown: [{ page: 0, image: "a" }], sendDue: at(5), givenUp: "too large" });
  t.deepEqual(acknowledged(begun(state, at(5)), 1, 6).sendDue, at(3605));
});

test("the label server's time decides what is shown, not the order of the reports", (t) => {
  const inOrder = acknowledged(acknowledged(superseded, 1, 2), 2, 3);
  const late = acknowledged(acknowledged(superseded, 2, 3), 1, 2, 9);
  for (const state of [inOrder, late]) {
    t.like(state, { shown: [{ page: 0, image: "b", deliveredAt: at(3) }], sending: undefined, sendDue: undefined });
  }
});

test("each page has its own delivery time, and pages stay in order", (t) => {
  const two = begun(acknowledged(sendingState("a", "b"), 1, 9), at(9));
  t.deepEqual(acknowledged(two, 2, 5).shown, [
    { page: 0, image: "a", deliveredAt: at(9), through: 1, number: 1 },
    { page: 1, image: "b", deliveredAt: at(5), through: 2, number: 2 },
  ]);
});

test("a transmission that began after a known delivery counts as landed after it, even if the label server's clock was set back", (t) => {
  const first = acknowledged(sendingState("a"), 1, 100);
  const second = acknowledged(begun(wantImage(first, picture("b"), at(101)), at(101)), 2, 5);
  t.like(second, { shown: [{ image: "b" }], sendDue: undefined });
});

test("a failed label that shows the wanted picture after all is no longer in ERROR", (t) => {
  const state = acknowledged(giveUp(sendingState("a"), 1, { reason: "no report" }, at(2), settings), 1, 5);
  t.like(state, { shown: [{ image: "a" }], givenUp: undefined, sendDue: undefined });
});

test("if a larger number has an earlier time, the page may show either picture: the wanted picture is sent", (t) => {
  const state = { ...acknowledged(superseded, 1, 9), sending: undefined, sendDue: undefined };
  t.like(acknowledged(state, 2, 8, 10), { shown: [{ image: "a", uncertain: true }], sendDue: at(10) });
});
