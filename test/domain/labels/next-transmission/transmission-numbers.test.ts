import test from "ava";
import { beginSend } from "../../../../domain/labels/next-transmission.ts";
import { newLabelState } from "../../../../schemas/label-state.ts";
import { wantImage } from "../../../../workers/transmitter/wanted-image.ts";
import { at, begun, picture, sendingState, settings } from "../../../workers/transmitter/states.ts";

test("a retry is the same transmission with the same number", (t) => {
  const first = sendingState("a");
  const again = beginSend(first, at(1), settings);
  t.deepEqual(again?.send, first.sending);
  t.like(again?.state, { transmissions: 1, tries: 2 });
  t.deepEqual(again?.state.sent, first.sent);
});

test("an earlier picture that is wanted again gets its own number", (t) => {
  const second = begun(wantImage(sendingState("a"), picture("b"), at(0.5)), at(1));
  const third = beginSend(wantImage(second, picture("a"), at(1.5)), at(2), settings);
  t.like(third?.send, { number: 3, page: 0, image: "a" });
});

test("no number is reused after a restore from an earlier backup, even if the label is created again", (t) => {
  const byTime = { ...settings, leastNumber: (now: Date) => now.getTime() };
  const restored = begun(wantImage(newLabelState(), picture("a"), at(0)), at(0), byTime);
  const lost = begun(wantImage(restored, picture("b"), at(5)), at(5), byTime);
  for (const state of [restored, newLabelState()]) {
    const next = begun(wantImage(state, picture("c"), at(60)), at(60), byTime);
    t.true(next.transmissions > lost.transmissions);
    t.is(next.sending?.number, next.transmissions);
  }
  t.is(begun(wantImage(lost, picture("c"), at(5)), at(20), byTime).transmissions, at(20).getTime());
});
