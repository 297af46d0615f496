import test from "ava";
import { applyReport } from "../../../domain/labels/apply-report.ts";
import { endSwitch, holdsStale, keepPictures, readinessOf } from "../../../domain/labels/keep-pictures.ts";
import { beginSend, giveUp } from "../../../domain/labels/next-transmission.ts";
import { pagesToKeep } from "../../../domain/labels/pages-to-send.ts";
import { type LabelState, newLabelState } from "../../../schemas/label-state.ts";
import { wantImage } from "../../../workers/transmitter/wanted-image.ts";
import { acknowledged, at, begun, picture, report, settings } from "../../workers/transmitter/states.ts";
import { keeping, kept, order, ready, showing } from "./switch-states.ts";

test("a picture to be kept is sent immediately, and makes no page uncertain", (t) => {
  const state = keeping();
  t.like(state.sending, { number: 2, image: "b", switch: "evening" });
  t.deepEqual(state.shown, showing().shown);
  t.is(readinessOf(state), "ASLEEP");
});

test("a label is ready once it has confirmed the picture, and nothing more is due", (t) => {
  t.is(readinessOf(ready()), "READY");
  t.is(ready().sendDue, undefined);
  t.is(ready().sending, undefined);
});

test("a picture that the label shows anyway is not sent", (t) => {
  const state = keepPictures(showing(), order("a"), at(2));
  t.is(state.sendDue, undefined);
  t.is(readinessOf(state), undefined);
});

test("preparing the same picture again changes nothing", (t) => {
  const state = ready();
  t.is(keepPictures(state, order("b"), at(4)), state);
});

test("a stale picture is replaced, even by the picture that the label shows", (t) => {
  for (const image of ["c", "a"]) {
    const state = keepPictures(ready(), order(image), at(4));
    t.is(readinessOf(state), "WAITING");
    t.true(holdsStale(state));
    const next = begun(state, at(4));
    t.like(next.sending, { number: 3, image, switch: "evening" });
    t.false(holdsStale(next), "the label server drops the stale picture once it has the newer one");
  }
});

test("a stale picture that is still under way is not awaited", (t) => {
  const state = keepPictures(keeping(), order("c"), at(2.1));
  t.deepEqual(state.sendDue, at(2.1));
  const next = begun(state, at(2.1));
  t.like(next.sending, { number: 3, image: "c" });
  t.is(readinessOf(kept(next, 2, 3)), "ASLEEP", "a report about the stale picture has no effect");
});

test("a picture to be shown is sent before a picture to be kept, which must then be sent again", (t) => {
  const state = begun(wantImage(keeping(), picture("x"), at(2.1)), at(2.1));
  t.like(state.sending, { number: 3, image: "x" });
  t.is(state.sending?.switch, undefined);
  t.deepEqual(state.later?.armed, []);
  const again = begun(acknowledged(state, 3, 4), at(4));
  t.like(again.sending, { number: 4, image: "b", switch: "evening" });
});

test("in quiet hours a picture to be kept is sent, even if another picture waits for them to end", (t) => {
  const morning = at(90);
  const content = { items: [], changedAt: 3, madeFrom: "same" };
  const showingAll = { ...showing(), content, sent: showing().sent.map((one) => ({ ...one, content })) };
  const newDesign = { ...showingAll, wanted: [{ page: 0, image: "design" }], sendDue: at(2) };
  const waiting = beginSend(newDesign, at(2), settings, morning)?.state ?? newDesign;
  t.deepEqual(waiting.sendDue, morning);
  const sent = beginSend(keepPictures(waiting, order("b"), at(3)), at(3), settings, morning);
  t.like(sent?.send, { number: 2, image: "b", switch: "evening" });
  const repeated = beginSend(sent?.state ?? waiting, at(4), settings, morning);
  t.is(repeated?.send, sent?.send, "the picture is sent again in quiet hours");
  const done = beginSend(kept(sent?.state ?? waiting, 2, 5), at(5), settings, morning);
  t.is(done?.send, undefined);
  t.deepEqual(done?.state.sendDue, morning);
  t.is(done && readinessOf(done.state), "READY");
});

test("a check-in does not prove that a kept picture is shown; an acknowledgement of the picture does", (t) => {
  const checkedIn = applyReport(ready(), report("check-in", 101, { shows: [{ page: 0, transmission: 2 }] }), at(101));
  t.deepEqual(checkedIn.shown, ready().shown);
  t.is(checkedIn.sendDue, undefined);
  t.is(readinessOf(acknowledged(checkedIn, 2, 100)), "SHOWN");
});

test("a kept picture counts as a refresh once it is shown", (t) => {
  const before = ready().care?.refreshes ?? 0;
  t.is(acknowledged(ready(), 2, 100).care?.refreshes, before + 1);
  t.is(before, 1);
});

test("a label that already shows its kept picture is sent nothing when the change arrives", (t) => {
  const shown = acknowledged(ready(), 2, 100);
  t.is(readinessOf(shown), "SHOWN");
  t.deepEqual(
    shown.shown.map(({ image }) => image),
    ["b"],
  );
  t.true((shown.sendDue ?? at(0)) > at(200), "the former picture is not sent while the change is on its way");
  t.is(wantImage(shown, picture("b"), at(101)).sendDue, undefined);
});

test("if the change arrives first, the label is sent its picture only if it does not report in time", (t) => {
  const changed = wantImage(ready(), picture("b"), at(100));
  t.deepEqual(changed.sendDue, at(115));
  t.is(acknowledged(changed, 2, 100).sendDue, undefined);
  const late = begun(changed, at(115));
  t.like(late.sending, { number: 3, image: "b" });
});

test("a change long before the switch is sent immediately, even if the label already keeps its picture", (t) => {
  t.deepEqual(wantImage(ready(), picture("b"), at(50)).sendDue, at(50));
});

test("a label that shows a picture other than the kept one is sent the kept one when the change arrives", (t) => {
  t.deepEqual(wantImage(ready(), picture("z"), at(100)).sendDue, at(100));
});

test("a label that refuses to keep a picture does not take part, and is not in ERROR", (t) => {
  const state = giveUp(keeping(), 2, { reason: "no memory" }, at(3), settings);
  t.is(state.givenUp, undefined);
  t.deepEqual(pagesToKeep(state, at(3)), []);
  t.is(readinessOf(state), "WAITING");
  t.is(state.sendDue, undefined);
});

test("the end of a switch records each label's progress, and sends nothing more for the switch", (t) => {
  const cases: [LabelState, string][] = [
    [ready(), "READY"],
    [keeping(), "ASLEEP"],
    [keepPictures(showing(), order("b"), at(2)), "WAITING"],
  ];
  for (const [state, readiness] of cases) {
    const ended = endSwitch(state, "evening", at(5));
    t.is(readinessOf(ended), readiness as "READY");
    t.is(ended.sendDue, undefined);
    t.is(ended.sending, undefined);
    t.is(endSwitch(ended, "evening", at(6)), ended);
  }
  t.is(endSwitch(keepPictures(showing(), order("a"), at(2)), "evening", at(5)).later, undefined);
});

test("a label takes part in one switch at a time", (t) => {
  const other = { ...order("c"), switch: "night" };
  t.is(keepPictures(ready(), other, at(4)).later?.switch, "evening");
  t.is(keepPictures(endSwitch(ready(), "evening", at(5)), other, at(6)).later?.switch, "night");
  t.is(newLabelState().later, undefined);
});

test("a label takes part in the next switch ten minutes after a switch that was never ended for it", (t) => {
  const other = { ...order("c"), switch: "night", showAt: at(7200) };
  t.is(keepPictures(ready(), other, at(699)).later?.switch, "evening");
  t.is(keepPictures(ready(), other, at(700)).later?.switch, "night");
});
