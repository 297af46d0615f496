import test from "ava";
import { beginSend, giveUp, putOff } from "../../../../domain/labels/next-transmission.ts";
import { entriesOf } from "../../../../schemas/label-history.ts";
import { newLabelState } from "../../../../schemas/label-state.ts";
import { wantImage } from "../../../../workers/transmitter/wanted-image.ts";
import { acknowledged, at, begun, picture, sendingState, settings } from "../../../workers/transmitter/states.ts";

test("nothing is sent before it is due", (t) => {
  t.is(beginSend(newLabelState(), at(9), settings), undefined);
  const wanting = wantImage(newLabelState(), picture("a"), at(5));
  t.is(beginSend(wanting, at(4.999), settings), undefined);
  t.not(beginSend(wanting, at(5), settings), undefined);
});

test("a transmission is stored before it is sent, with its number, page, picture and the time of the next check", (t) => {
  const wanting = { ...wantImage(newLabelState(), picture("a"), at(5)), transmissions: 41 };
  const send = { number: 42, page: 0, image: "a", changes: "link" as const, nth: 1 };
  const next = beginSend(wanting, at(7), settings);
  t.deepEqual(next, {
    send,
    state: {
      ...wanting,
      sending: send,
      sent: [send],
      transmissions: 42,
      tries: 1,
      sendDue: at(8),
      putOff: undefined,
      history: next?.state.history ?? [],
    },
  });
});

test("a transmission keeps its picture's contents, fault and cause", (t) => {
  const wantedBy = { call: "a" };
  const content = { items: [], changedAt: 3 };
  const wanting = { ...wantImage(newLabelState(), picture("a"), at(5)), wantedBy, content, fault: "no design" };
  const send = {
    number: 1,
    page: 0,
    image: "a",
    cause: wantedBy,
    content,
    fault: "no design",
    changes: "link",
    nth: 1,
  };
  const next = beginSend(wanting, at(7), settings);
  t.deepEqual(next?.send, send);
  t.deepEqual(entriesOf(next?.state.history ?? []), [
    { at: at(7).getTime(), event: "picture", result: "begun", transmission: 1, page: "0", image: "a", cause: wantedBy },
  ]);
});

test("in quiet hours a picture that may wait is due when they end, and any other is sent", (t) => {
  const content = { items: [], changedAt: 3, madeFrom: "same" };
  const sent = [{ page: 0, image: "old", number: 1, content }];
  const shown = [{ page: 0, image: "old", deliveredAt: at(0), through: 1 }];
  const showing = { ...newLabelState(), shown, sent, transmissions: 1, content };
  const wanting = { ...showing, wanted: [{ page: 0, image: "new" }], sendDue: at(5) };
  const held = beginSend(wanting, at(7), settings, at(900));
  t.is(held?.send, undefined);
  t.deepEqual(held?.state, { ...wanting, sendDue: at(900), putOff: "the store has quiet hours" });
  t.like(beginSend(held?.state ?? wanting, at(900), settings)?.send, { number: 2, image: "new" });
  const other = { ...wanting, content: { ...content, madeFrom: "another price" } };
  t.like(beginSend(other, at(7), settings, at(900))?.send, { number: 2, image: "new" });
});

test("a newer picture replaces a picture without a report, under a new number and with its own attempts", (t) => {
  const tried = begun(begun(sendingState("a"), at(1)), at(3));
  const next = beginSend(wantImage(tried, picture("b"), at(4)), at(7), settings);
  t.like(next?.send, { number: 2, page: 0, image: "b" });
  t.like(next?.state, { tries: 1, transmissions: 2 });
});

test("if the shown picture is wanted again before another picture is sent, the label receives nothing", (t) => {
  const shown = acknowledged(sendingState("a"), 1, 1);
  const state = wantImage(wantImage(shown, picture("b"), at(2)), picture("a"), at(2.5));
  t.is(beginSend(state, at(3), settings), undefined);
});

test("the last eight transmissions are stored with their pictures", (t) => {
  let state = newLabelState();
  for (let turn = 1; turn <= 10; turn += 1) {
    state = begun(wantImage(state, picture(`picture ${turn}`), at(turn * 100)), at(turn * 100));
  }
  t.deepEqual(
    state.sent.map(({ number, image }) => [number, image]),
    [3, 4, 5, 6, 7, 8, 9, 10].map((n) => [n, `picture ${n}`]),
  );
});

test("a busy label server postpones a transmission: no attempt is counted, and its number stays the same", (t) => {
  let state = sendingState("a");
  for (let turn = 1; turn < 20; turn += 1) {
    const put = putOff(state, 1, at(turn * 100));
    t.like(put, { tries: 0, sendDue: at(turn * 100), givenUp: undefined });
    t.is(beginSend(put, at(turn * 100 - 1), settings), undefined);
    state = begun(put, at(turn * 100));
    t.like(state, { sending: { number: 1, page: 0, image: "a" }, tries: 1, transmissions: 1 });
  }
});

test("a postponed attempt is not counted, and the count never falls below zero", (t) => {
  const state = sendingState("a");
  t.is(putOff({ ...state, tries: 3 }, 1, at(9)).tries, 2);
  t.is(putOff({ ...state, tries: 0 }, 1, at(9)).tries, 0);
});

test("the wait for a report doubles with every attempt, up to the maximum", (t) => {
  const patient = { ...settings, maxTries: 100 };
  let state = begun(wantImage(newLabelState(), picture("a"), at(0)), at(0), patient);
  const waits: number[] = [];
  for (let now = at(0); waits.length < 6; now = state.sendDue ?? now) {
    if (now > at(0)) state = begun(state, now, patient);
    waits.push((state.sendDue?.getTime() ?? 0) - now.getTime());
  }
  t.deepEqual(waits, [1000, 2000, 4000, 8000, 8000, 8000]);
});

test("a response to a finished transmission changes nothing", (t) => {
  const states = [
    begun(wantImage(sendingState("a"), picture("b"), at(0.5)), at(1)),
    acknowledged(sendingState("a"), 1, 1),
  ];
  for (const state of states) {
    t.is(putOff(state, 1, at(9)), state);
    t.is(giveUp(state, 1, { reason: "too large" }, at(2), settings), state);
  }
});
