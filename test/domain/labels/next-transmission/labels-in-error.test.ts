import test from "ava";
import { applyReport } from "../../../../domain/labels/apply-report.ts";
import { beginSend, giveUp } from "../../../../domain/labels/next-transmission.ts";
import { entriesOf } from "../../../../schemas/label-history.ts";
import type { LabelState } from "../../../../schemas/label-state.ts";
import { wantImage } from "../../../../workers/transmitter/wanted-image.ts";
import {
  acknowledged,
  at,
  begun,
  picture,
  report,
  sendingState,
  settings,
} from "../../../workers/transmitter/states.ts";

/** A label that did not report within the maximum number of attempts. */
function unreported(...images: string[]): LabelState {
  let state = sendingState(...images);
  for (let tries = 2; tries <= settings.maxTries; tries += 1) state = begun(state, at(100 * tries));
  return begun(state, at(1000));
}

test("after the maximum number of attempts without a report a label is in ERROR until its next picture", (t) => {
  const given = unreported("a");
  t.like(given, { tries: settings.maxTries, givenUp: "no report after 5 tries", sendDue: at(4600) });
  t.like(wantImage(given, picture("b"), at(1001)), { sendDue: at(1001), givenUp: undefined, sending: undefined });
  t.like(beginSend(wantImage(given, picture("b"), at(1001)), at(1001), settings)?.send, { number: 2 });
});

test("no label is abandoned: a label in ERROR is sent its picture slowly and steadily with the same number", (t) => {
  let state = unreported("a");
  for (let hour = 1; hour <= 50; hour += 1) {
    const now = state.sendDue ?? at(0);
    t.is(beginSend(state, new Date(now.getTime() - 1), settings), undefined);
    const next = beginSend(state, now, settings);
    t.like(next?.send, { number: 1, image: "a" });
    t.like(next?.state, { givenUp: "no report after 5 tries", sendDue: new Date(now.getTime() + settings.slowWaitMs) });
    state = next?.state ?? state;
  }
  t.is(unreported("a").history?.length, state.history?.length, "its history is not filled with the same entry");
  t.like(acknowledged(state, 1, 500_000), { givenUp: undefined, sendDue: undefined, shown: [{ image: "a" }] });
});

test("a picture that fails again while its label is in ERROR is not sent earlier", (t) => {
  const state = begun(unreported("a"), at(4600));
  t.deepEqual(applyReport(state, report("failed", 4601, { transmission: 1 }), at(4601)).sendDue, at(8200));
});

for (const kind of ["check-in", "acknowledged"] as const) {
  test(`a report (${kind}) from a label in ERROR sends the missing picture immediately, with a new number`, (t) => {
    const alive = applyReport(unreported("a"), report(kind, 2000, { battery: "OK" }), at(2000));
    t.deepEqual(alive.sendDue, at(2000));
    t.like(beginSend(alive, at(2000), settings), { send: { number: 2, image: "a" }, state: { sendDue: at(5600) } });
  });
}

test("check-ins of a label in ERROR lead to a transmission at most once an hour", (t) => {
  let state = unreported("a");
  let sends = 0;
  for (let minute = 20; minute < 20 + 600; minute += 1) {
    state = applyReport(state, report("check-in", minute * 60), at(minute * 60));
    const next = beginSend(state, at(minute * 60), settings);
    if (next?.send) sends += 1;
    state = next?.state ?? state;
  }
  t.true(sends >= 10 && sends <= 20, `${sends} transmissions in ten hours`);
});

test("neither old nor repeated reports make a transmission due earlier", (t) => {
  const seen = applyReport(unreported("a"), report("check-in", 2000), at(2000));
  const again = { ...seen, woken: undefined, sendDue: at(9000) };
  for (const second of [2000, 1999])
    t.deepEqual(applyReport(again, report("check-in", second), at(7000)).sendDue, at(9000));
});

test("a picture that the label server refused is sent again slowly, with a new number", (t) => {
  const refused = giveUp(sendingState("a"), 1, { reason: "too large" }, at(2), settings);
  t.like(refused, { sending: undefined, sendDue: at(3602), givenUp: "too large" });
  t.is(beginSend(refused, at(3601), settings), undefined);
  t.like(beginSend(refused, at(3602), settings)?.send, { number: 2, image: "a" });
});

test("a label that fails again for the same reason has only one entry for it", (t) => {
  const once = giveUp(sendingState("a"), 1, { reason: "refused" }, at(1), settings);
  const again = giveUp(begun({ ...once, sendDue: at(2) }, at(2)), 2, { reason: "refused" }, at(3), settings);
  const other = giveUp(begun({ ...again, sendDue: at(4) }, at(4)), 3, { reason: "too large" }, at(5), settings);
  const reasons = entriesOf(other.history ?? []).flatMap(({ event, result, reason }) =>
    event === "picture" && result === "given up" ? [reason] : [],
  );
  t.deepEqual(reasons, ["too large", "refused"]);
});
