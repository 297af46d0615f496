import test from "ava";
import { applyReport } from "../../../domain/labels/apply-report.ts";
import { giveUp } from "../../../domain/labels/next-transmission.ts";
import { type LabelState, newLabelState } from "../../../schemas/label-state.ts";
import { wantImage } from "../../../workers/transmitter/wanted-image.ts";
import { at, begun, picture, report, sendingState, settings } from "./states.ts";

const showing = (image: string): LabelState =>
  applyReport(sendingState(image), report("acknowledged", 1, { transmission: 1 }), at(1));
const fault = (detail: string) => ({ reason: "DRAWING_FAILED" as const, detail });

test("a picture that a label does not show is due immediately", (t) => {
  t.like(wantImage(newLabelState(), picture("a"), at(5)), { wanted: [{ page: 0, image: "a" }], sendDue: at(5) });
});

test("a picture that a label already shows is not sent", (t) => {
  const shown = { ...showing("a"), wanted: [] };
  const state = wantImage(shown, picture("a"), at(5));
  t.deepEqual(state.wanted, [{ page: 0, image: "a" }]);
  t.is(state.sendDue, undefined);
});

test("a picture that is already wanted changes nothing", (t) => {
  for (const state of [
    sendingState("a", "b"),
    giveUp(sendingState("a", "b"), 1, { reason: "refused" }, at(1), settings),
  ]) {
    t.is(wantImage(state, picture("a", "b"), at(5)), state);
  }
});

test("a newer picture waits for the report about the current transmission", (t) => {
  const sending = sendingState("a");
  const state = wantImage(sending, picture("b"), at(0.5));
  t.deepEqual(state.sending, sending.sending);
  t.deepEqual(state.sendDue, sending.sendDue);
});

test("a label that returns to its shown picture with no transmission under way has nothing due", (t) => {
  const changed = wantImage(showing("a"), picture("b"), at(5));
  t.deepEqual(changed.sendDue, at(5));
  t.is(wantImage(changed, picture("a"), at(6)).sendDue, undefined);
});

test("a state that lacks a page and has no due time is stale, and the wanted picture makes it due", (t) => {
  const forgotten = { ...sendingState("a"), sending: undefined, sendDue: undefined, givenUp: "no report" };
  t.deepEqual(wantImage(forgotten, picture("a"), at(5)), { ...forgotten, sendDue: at(5) });
});

test("a newer picture is sent from its first attempt after a failed picture", (t) => {
  const state = wantImage(giveUp(sendingState("a"), 1, { reason: "refused" }, at(1), settings), picture("b"), at(5));
  t.like(state, { givenUp: undefined, tries: 0, sendDue: at(5) });
});

test("one picture's attempts do not count for the next picture", (t) => {
  const tried = begun(sendingState("a"), at(1));
  t.is(tried.tries, 2);
  t.is(wantImage(tried, picture("b"), at(2)).tries, 0);
});

test("an additional, missing or renumbered page makes a different picture", (t) => {
  for (const other of [picture("a"), picture("a", "b", "c"), picture("b", "a"), picture()]) {
    t.deepEqual(wantImage(sendingState("a", "b"), other, at(5)).wanted, other.pages);
  }
  const backOnly = { ...picture(), pages: [{ page: 1, image: "a" }] };
  t.deepEqual(wantImage(sendingState("a"), backOnly, at(5)).wanted, backOnly.pages);
});

test("a fault of the wanted picture is recorded and cleared, and by itself sends nothing", (t) => {
  const good = showing("a");
  const faulty = wantImage(good, { ...picture("a"), fault: fault("no font") }, at(5));
  t.like(faulty, { fault: "no font", sendDue: undefined });
  t.is(wantImage(faulty, { ...picture("a"), fault: fault("no font") }, at(6)), faulty);
  t.is(wantImage(faulty, { ...picture("a"), fault: fault("no image") }, at(6)).fault, "no image");
  t.is(wantImage(faulty, picture("a"), at(6)).fault, undefined);
});

test("a fault that arrives with the current picture leaves the transmission under way", (t) => {
  const sending = sendingState("a");
  t.deepEqual(wantImage(sending, { ...picture("a"), fault: fault("no font") }, at(1)), {
    ...sending,
    fault: "no font",
  });
});

test("a new label without reports shows and wants nothing, and its battery is UNKNOWN", (t) => {
  t.like(newLabelState(), { wanted: [], shown: [], transmissions: 0, battery: "UNKNOWN" });
});
