import test from "ava";
import { applyReport } from "../../../domain/labels/apply-report.ts";
import { endSwitch, keepPictures } from "../../../domain/labels/keep-pictures.ts";
import { beginSend } from "../../../domain/labels/next-transmission.ts";
import { pageToSend } from "../../../domain/labels/pages-to-send.ts";
import type { LabelState } from "../../../schemas/label-state.ts";
import { wantImage } from "../../../workers/transmitter/wanted-image.ts";
import { acknowledged, at, begun, picture, report, sendingState, settings } from "../../workers/transmitter/states.ts";
import { keeping, kept, order, ready, SHOW_AT, showing } from "./switch-states.ts";

test("a label that may have shown its kept picture is sent the former picture if that picture is wanted again", (t) => {
  const changed = wantImage(ready(), picture("b"), at(101));
  const back = wantImage(changed, picture("a"), at(105));
  t.deepEqual(back.sendDue, at(105));
  t.like(back.shown, [{ image: "a", uncertain: true, uncertainSince: SHOW_AT }]);
  t.deepEqual(acknowledged(back, 1, 1).shown[0]?.uncertain, true, "a repeated report changes nothing");
  const ended = endSwitch(back, "evening", at(161));
  t.deepEqual(ended.sendDue, at(161));
  const late = acknowledged(begun(ended, at(161)), 2, 100);
  t.like(pageToSend(late), { image: "a" }, "the late report of the switch is believed");
  const sent = acknowledged(late, 3, 162);
  t.is(pageToSend(sent), undefined);
  t.is(sent.shown[0]?.uncertain, undefined);
});

test("if a switch's change is cancelled after the order, the wanted picture is sent again when the switch ends", (t) => {
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

test("if another page changes at the switch, a page whose own change is still on its way is not sent", (t) => {
  const both = acknowledged(begun(acknowledged(sendingState("a", "x"), 1, 1), at(1)), 2, 9);
  const pages = [{ page: 1, image: "y" }];
  const waiting = kept(begun(keepPictures(both, { ...order("y"), pages }, at(10)), at(10)), 3, 11);
  const changed = wantImage(waiting, picture("b", "x"), at(100));
  t.is(pageToSend({ ...changed, wanted: [{ page: 1, image: "x" }] }), undefined);
  t.like(pageToSend(endSwitch(acknowledged(begun(changed, at(100)), 4, 101), "evening", at(161))), { image: "x" });
});

test("if the next switch follows before a switch has ended, the earlier switch leaves its page uncertain", (t) => {
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

test("a label is sent nothing more for a switch that was never ended for it, and the switch does not put it in ERROR", (t) => {
  const asleep = begun(keepPictures(showing(), order("b"), at(2)), at(2));
  const givenUp = { ...asleep, tries: settings.maxTries, givenUp: "no report", sendDue: at(4000) };
  const idle = beginSend(givenUp, at(4000), settings);
  t.like(idle?.state, { sending: undefined, sendDue: undefined, givenUp: undefined });
  t.is(idle?.send, undefined);
  const repriced = begun(wantImage(givenUp, picture("c"), at(701)), at(701));
  t.like(acknowledged(repriced, 3, 702), { sending: undefined, sendDue: undefined, givenUp: undefined });
  t.deepEqual(acknowledged(begun(wantImage(givenUp, picture("c"), at(50)), at(50)), 3, 51).sendDue, at(51));
});
