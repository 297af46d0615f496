import test from "ava";
import { applyReport } from "../../../domain/labels/apply-report.ts";
import {
  endSwitch,
  holdsStale,
  type KeepOrder,
  keepPictures,
  readinessOf,
} from "../../../domain/labels/keep-pictures.ts";
import { beginSend, giveUp } from "../../../domain/labels/next-transmission.ts";
import { pagesToKeep, pageToSend } from "../../../domain/labels/pages-to-send.ts";
import { type LabelState, newLabelState } from "../../../schemas/label-state.ts";
import { wantImage } from "../../../workers/transmitter/wanted-image.ts";
import { at, begun, picture, report, sendingState, settings } from "../../workers/transmitter/states.ts";

const SHOW_AT = at(100);
const order = (image: string, basis = image): KeepOrder => ({
  switch: "evening",
  showAt: SHOW_AT,
  basis,
  pages: [{ page: 0, image }],
});
const acknowledged = (state: LabelState, transmission: number, seconds: number) =>
  applyReport(state, report("acknowledged", seconds, { transmission }), at(seconds));
const kept = (state: LabelState, transmission: number, seconds: number) =>
  applyReport(state, report("kept", seconds, { transmission }), at(seconds));

/** A label that has shown "a" since second 1. */
const showing = (): LabelState => acknowledged(sendingState("a"), 1, 1);
/** The same label after "b" was sent as transmission 2, to be kept. */
const keeping = (): LabelState => begun(keepPictures(showing(), order("b"), at(2)), at(2));
const ready = (): LabelState => kept(keeping(), 2, 3);

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

test("a check-in does not prove that a kept picture is shown, and its acknowledgement does", (t) => {
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

test("a label that shows another picture than the kept one is sent the kept one when the change arrives", (t) => {
  t.deepEqual(wantImage(ready(), picture("z"), at(100)).sendDue, at(100));
});

test("a label that refuses to keep a picture does not take part, and is not in ERROR", (t) => {
  const state = giveUp(keeping(), 2, { reason: "no memory" }, at(3), settings);
  t.is(state.givenUp, undefined);
  t.deepEqual(pagesToKeep(state), []);
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

test("a label takes part in the next switch ten minutes after one that was never ended for it", (t) => {
  const other = { ...order("c"), switch: "night", showAt: at(7200) };
  t.is(keepPictures(ready(), other, at(699)).later?.switch, "evening");
  t.is(keepPictures(ready(), other, at(700)).later?.switch, "night");
});

test("a label that may have shown its kept picture is sent the former one if that is wanted again", (t) => {
  const changed = wantImage(ready(), picture("b"), at(101));
  const back = wantImage(changed, picture("a"), at(105));
  t.deepEqual(back.sendDue, at(105));
  t.like(back.shown, [{ image: "a", uncertain: true, uncertainSince: SHOW_AT }]);
  t.deepEqual(acknowledged(back, 1, 1).shown[0]?.uncertain, true, "a repeated report of the former picture is no news");
  const ended = endSwitch(back, "evening", at(161));
  t.deepEqual(ended.sendDue, at(161));
  const late = acknowledged(begun(ended, at(161)), 2, 100);
  t.like(pageToSend(late), { image: "a" }, "the late report of the switch is believed");
  const sent = acknowledged(late, 3, 162);
  t.is(pageToSend(sent), undefined);
  t.is(sent.shown[0]?.uncertain, undefined);
});

test("a switch whose change is cancelled after its order ends with the wanted picture being sent again", (t) => {
  const replaced = begun(keepPictures(ready(), order("a"), at(90)), at(90));
  const isSent = (state: LabelState) => pageToSend(state)?.image === "a";
  t.true(isSent(endSwitch(ready(), "evening", at(161))));
  t.true(isSent(endSwitch(keeping(), "evening", at(161))), "the report that the picture is kept may be lost");
  t.true(isSent(endSwitch(replaced, "evening", at(161))), "the label server may not have received the replacement");
  t.false(isSent(endSwitch(kept(replaced, 3, 91), "evening", at(161))), "the label keeps what it shows");
  t.false(isSent(endSwitch(ready(), "evening", at(99))), "called off before its time");
});

test("a switch that is called off at its time waits for reports and changes before a former picture is sent", (t) => {
  const ended = endSwitch(ready(), "evening", at(101));
  t.deepEqual(ended.sendDue, at(115));
  t.is(acknowledged(wantImage(ended, picture("b"), at(102)), 2, 100).sendDue, undefined);
});

test("a page whose own change is on its way is not sent because another page changes at the switch", (t) => {
  const both = acknowledged(begun(acknowledged(sendingState("a", "x"), 1, 1), at(1)), 2, 9);
  const pages = [{ page: 1, image: "y" }];
  const waiting = kept(begun(keepPictures(both, { ...order("y"), pages }, at(10)), at(10)), 3, 11);
  const changed = wantImage(waiting, picture("b", "x"), at(100));
  t.is(pageToSend({ ...changed, wanted: [{ page: 1, image: "x" }] }), undefined);
  t.like(pageToSend(endSwitch(acknowledged(begun(changed, at(100)), 4, 101), "evening", at(161))), { image: "x" });
});

test("a switch that is followed by the next without having ended leaves its page uncertain", (t) => {
  const next = keepPictures(ready(), { ...order("a"), switch: "night", showAt: at(7200) }, at(700));
  t.deepEqual(next.sendDue, at(700));
  t.like(begun(next, at(700)).sending, { image: "a", number: 3 });
});

test("a repeated or late report about a switch's picture does not postpone the next price", (t) => {
  const shown = acknowledged(ready(), 2, 100);
  t.deepEqual(acknowledged(shown, 2, 100).sendDue, shown.sendDue, "the change is still on its way");
  t.deepEqual(applyReport(shown, report("acknowledged", 100, { transmission: 2 }), at(130)).sendDue, shown.sendDue);
  const ended = endSwitch(wantImage(shown, picture("b"), at(101)), "evening", at(161));
  const repriced = wantImage(ended, picture("c"), at(170));
  t.deepEqual(applyReport(repriced, report("acknowledged", 100, { transmission: 2 }), at(180)).sendDue, at(170));
  const atOnce = wantImage(wantImage(ready(), picture("b"), at(101)), picture("c"), at(103));
  t.deepEqual(acknowledged(atOnce, 2, 104).sendDue, at(103), "the price changed again before the first report");
  const late = wantImage(endSwitch(ready(), "evening", at(161)), picture("c"), at(162));
  t.deepEqual(
    acknowledged({ ...late, sendDue: undefined }, 2, 165).sendDue,
    at(165),
    "no change is awaited after the end",
  );
});
