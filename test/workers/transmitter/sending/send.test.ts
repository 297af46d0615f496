import test from "ava";
import { applyReport } from "../../../../domain/labels/apply-report.ts";
import { entriesOf } from "../../../../schemas/history.ts";
import { type LabelState, newLabelState } from "../../../../schemas/label-state.ts";
import { beginSend, giveUp, putOff } from "../../../../workers/transmitter/sending/send.ts";
import { wantImage } from "../../../../workers/transmitter/wanted-image.ts";
import { at, begun, picture, report, sendingState, settings } from "../states.ts";

const acknowledged = (state: LabelState, transmission: number, seconds: number, receivedAt = seconds) =>
  applyReport(state, report("acknowledged", seconds, { transmission }), at(receivedAt));

test("nothing is sent before it is due", (t) => {
  t.is(beginSend(newLabelState(), at(9), settings), undefined);
  const wanting = wantImage(newLabelState(), picture("a"), at(5));
  t.is(beginSend(wanting, at(4.999), settings), undefined);
  t.not(beginSend(wanting, at(5), settings), undefined);
});

test("a transmission is stored before it is sent: its number, page and picture, and when to check again", (t) => {
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

test("in quiet hours a picture that may wait is due at their end, and any other is sent", (t) => {
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

test("a postponed try is not counted, and the count never falls below zero", (t) => {
  const state = sendingState("a");
  t.is(putOff({ ...state, tries: 3 }, 1, at(9)).tries, 2);
  t.is(putOff({ ...state, tries: 0 }, 1, at(9)).tries, 0);
});

test("a label that fails again for the same reason has one entry of it", (t) => {
  const once = giveUp(sendingState("a"), 1, { reason: "refused" }, at(1), settings);
  const again = giveUp(begun({ ...once, sendDue: at(2) }, at(2)), 2, { reason: "refused" }, at(3), settings);
  const other = giveUp(begun({ ...again, sendDue: at(4) }, at(4)), 3, { reason: "too large" }, at(5), settings);
  const reasons = entriesOf(other.history ?? []).flatMap(({ event, result, reason }) =>
    event === "picture" && result === "given up" ? [reason] : [],
  );
  t.deepEqual(reasons, ["too large", "refused"]);
});

test("no number is reused after a restore to an earlier moment, even if the label is created again", (t) => {
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

test("a retry is the same transmission with the same number", (t) => {
  const first = sendingState("a");
  const again = beginSend(first, at(1), settings);
  t.deepEqual(again?.send, first.sending);
  t.like(again?.state, { transmissions: 1, tries: 2 });
  t.deepEqual(again?.state.sent, first.sent);
});

test("the wait for a report doubles with every try, up to the maximum", (t) => {
  const patient = { ...settings, maxTries: 100 };
  let state = begun(wantImage(newLabelState(), picture("a"), at(0)), at(0), patient);
  const waits: number[] = [];
  for (let now = at(0); waits.length < 6; now = state.sendDue ?? now) {
    if (now > at(0)) state = begun(state, now, patient);
    waits.push((state.sendDue?.getTime() ?? 0) - now.getTime());
  }
  t.deepEqual(waits, [1000, 2000, 4000, 8000, 8000, 8000]);
});

/** A label that did not report within the maximum of tries. */
function unreported(...images: string[]): LabelState {
  let state = sendingState(...images);
  for (let tries = 2; tries <= settings.maxTries; tries += 1) state = begun(state, at(100 * tries));
  return begun(state, at(1000));
}

test("after the maximum of tries without a report a label is in ERROR until its next picture", (t) => {
  const given = unreported("a");
  t.like(given, { tries: settings.maxTries, givenUp: "no report after 5 tries", sendDue: at(4600) });
  t.like(wantImage(given, picture("b"), at(1001)), { sendDue: at(1001), givenUp: undefined, sending: undefined });
  t.like(beginSend(wantImage(given, picture("b"), at(1001)), at(1001), settings)?.send, { number: 2 });
});

test("no label is abandoned forever: a label in ERROR is sent to slowly and steadily with the same number", (t) => {
  let state = unreported("a");
  for (let hour = 1; hour <= 50; hour += 1) {
    const now = state.sendDue ?? at(0);
    t.is(beginSend(state, new Date(now.getTime() - 1), settings), undefined);
    const next = beginSend(state, now, settings);
    t.like(next?.send, { number: 1, image: "a" });
    t.like(next?.state, { givenUp: "no report after 5 tries", sendDue: new Date(now.getTime() + settings.slowWaitMs) });
    state = next?.state ?? state;
  }
  t.is(unreported("a").history?.length, state.history?.length, "its history is not filled with the same again");
  t.like(acknowledged(state, 1, 500_000), { givenUp: undefined, sendDue: undefined, shown: [{ image: "a" }] });
});

test("a picture that fails again while its label is in ERROR is not sent earlier for that", (t) => {
  const state = begun(unreported("a"), at(4600));
  t.deepEqual(applyReport(state, report("failed", 4601, { transmission: 1 }), at(4601)).sendDue, at(8200));
});

for (const kind of ["check-in", "acknowledged"] as const) {
  test(`a sign of life (${kind}) of a label in ERROR sends what it lacks immediately, with a new number`, (t) => {
    const alive = applyReport(unreported("a"), report(kind, 2000, { battery: "OK" }), at(2000));
    t.deepEqual(alive.sendDue, at(2000));
    t.like(beginSend(alive, at(2000), settings), { send: { number: 2, image: "a" }, state: { sendDue: at(5600) } });
  });
}

test("signs of life of a label in ERROR cause a transmission at most once an hour", (t) => {
  let state = unreported("a");
  let sends = 0;
  for (let minute = 20; minute < 20 + 600; minute += 1) {
    state = applyReport(state, report("check-in", minute * 60), at(minute * 60));
    const next = beginSend(state, at(minute * 60), settings);
    if (next?.send) sends += 1;
    state = next?.state ?? state;
  }
  t.true(sends >= 10 && sends <= 20, `${sends} in ten hours`);
});

test("neither old nor repeated reports are signs of life", (t) => {
  const seen = applyReport(unreported("a"), report("check-in", 2000), at(2000));
  const again = { ...seen, woken: undefined, sendDue: at(9000) };
  for (const second of [2000, 1999])
    t.deepEqual(applyReport(again, report("check-in", second), at(7000)).sendDue, at(9000));
});

test("a newer picture replaces one without a report, under a new number and with its own tries", (t) => {
  const tried = begun(begun(sendingState("a"), at(1)), at(3));
  const next = beginSend(wantImage(tried, picture("b"), at(4)), at(7), settings);
  t.like(next?.send, { number: 2, page: 0, image: "b" });
  t.like(next?.state, { tries: 1, transmissions: 2 });
});

test("an earlier picture that is wanted again gets its own number", (t) => {
  const second = begun(wantImage(sendingState("a"), picture("b"), at(0.5)), at(1));
  const third = beginSend(wantImage(second, picture("a"), at(1.5)), at(2), settings);
  t.like(third?.send, { number: 3, page: 0, image: "a" });
});

/** "a" is shown, "b" was sent as number 2 at second 2 and "a" is wanted again. */
const returned = (): LabelState => {
  const shown = acknowledged(sendingState("a"), 1, 1);
  return wantImage(begun(wantImage(shown, picture("b"), at(2)), at(2)), picture("a"), at(2.5));
};

test("a shown picture is sent again with a new number while another one is unreported", (t) => {
  const next = beginSend(returned(), at(3), settings);
  t.like(next?.send, { number: 3, page: 0, image: "a" });
  t.like(acknowledged(next?.state ?? returned(), 3, 4), { sending: undefined, sendDue: undefined });
});

test("a shown picture is sent again after a reported failure, since the label may still have received the other", (t) => {
  const failed = applyReport(returned(), report("failed", 2.7, { transmission: 2 }), at(2.7));
  t.like(begun(failed, failed.sendDue ?? at(0)).sending, { number: 3, image: "a" });
});

test("a shown picture is sent again when the other one has failed, after all tries or a refusal", (t) => {
  const { sendDue: _, ...shown } = acknowledged(sendingState("a"), 1, 1);
  let tried = begun(wantImage(shown, picture("b"), at(2)), at(2));
  for (let tries = 1; tries <= settings.maxTries; tries += 1) tried = begun(tried, at(100 * tries));
  t.is(tried.givenUp, "no report after 5 tries");
  for (const givenUp of [tried, giveUp(tried, 2, { reason: "too large" }, at(600), settings)])
    t.like(begun(wantImage(givenUp, picture("a"), at(601)), at(601)).sending, { number: 3, image: "a" });
});

test("a page is certain again when a transmission later than the other picture's is acknowledged", (t) => {
  const again = begun(returned(), at(3));
  const late = acknowledged(acknowledged(again, 3, 5), 2, 4, 6);
  t.like(late, { shown: [{ image: "a" }], sendDue: undefined });
  t.is(late.shown[0]?.uncertain, undefined);
  const older = acknowledged(again, 1, 1, 6);
  t.true(older.shown[0]?.uncertain, "a repeated report of an older one says nothing about it");
  t.like(acknowledged(again, 2, 4, 6), { shown: [{ image: "b", uncertain: true }], sending: { number: 3 } });
});

test("if the other picture is not sent before the wanted one returns, the label receives nothing", (t) => {
  const shown = acknowledged(sendingState("a"), 1, 1);
  const state = wantImage(wantImage(shown, picture("b"), at(2)), picture("a"), at(2.5));
  t.is(beginSend(state, at(3), settings), undefined);
});

test("each page is uncertain separately, and sending the same picture again makes none uncertain", (t) => {
  const both = acknowledged(begun(acknowledged(sendingState("a", "b"), 1, 1), at(1)), 2, 2);
  const other = begun(wantImage(both, picture("a", "c"), at(3)), at(3));
  t.deepEqual(
    other.shown.map(({ uncertain }) => uncertain),
    [undefined, true],
  );
  const refreshed = begun({ ...both, refreshing: { pages: [0], after: 2 }, sendDue: at(3) }, at(3));
  t.is(refreshed.shown[0]?.uncertain, undefined);
});

test("a page sent by an earlier release becomes uncertain when another picture is wanted", (t) => {
  const { shown, ...state } = returned();
  const known = shown.map(({ uncertain: _, number: __, ...former }) => former);
  const former = { ...state, shown: known, wanted: picture("b").pages };
  t.like(begun(wantImage(former, picture("a"), at(2.5)), at(3)).sending, { number: 3, image: "a" });
});

test("pages are sent one after another, the first wrong one first", (t) => {
  const both = sendingState("a", "b");
  t.is(both.sending?.page, 0);
  const second = beginSend(acknowledged(both, 1, 0.5), at(0.5), settings);
  t.like(second?.send, { number: 2, page: 1, image: "b" });
  const done = acknowledged(second?.state ?? both, 2, 0.8);
  t.is(done.sendDue, undefined);
  t.like(beginSend(wantImage(done, picture("a", "c"), at(2)), at(2), settings)?.send, { page: 1, image: "c" });
});

test("each page has its own tries", (t) => {
  const tried = begun(begun(sendingState("a", "b"), at(1)), at(3));
  const shown = { ...tried, shown: [{ page: 0, image: "a", deliveredAt: at(4), through: 1 }] };
  t.like(beginSend(shown, at(7), settings), { send: { number: 2, page: 1 }, state: { tries: 1 } });
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

test("a busy label server postpones a transmission: no try is counted, and its number stays", (t) => {
  let state = sendingState("a");
  for (let turn = 1; turn < 20; turn += 1) {
    const put = putOff(state, 1, at(turn * 100));
    t.like(put, { tries: 0, sendDue: at(turn * 100), givenUp: undefined });
    t.is(beginSend(put, at(turn * 100 - 1), settings), undefined);
    state = begun(put, at(turn * 100));
    t.like(state, { sending: { number: 1, page: 0, image: "a" }, tries: 1, transmissions: 1 });
  }
});

test("a picture that the label server refused is sent again slowly, with a new number", (t) => {
  const refused = giveUp(sendingState("a"), 1, { reason: "too large" }, at(2), settings);
  t.like(refused, { sending: undefined, sendDue: at(3602), givenUp: "too large" });
  t.is(beginSend(refused, at(3601), settings), undefined);
  t.like(beginSend(refused, at(3602), settings)?.send, { number: 2, image: "a" });
});

test("a refused page does not keep other pages off the label", (t) => {
  const refused = giveUp(sendingState("a", "b", "c"), 1, { reason: "too large" }, at(2), settings);
  const second = begun(refused, at(3602));
  t.like(second.sending, { number: 2, page: 1, image: "b" });
  const third = begun(acknowledged(second, 2, 3603), at(3603));
  t.like(third, { sending: { page: 0 }, givenUp: undefined });
  t.like(begun(giveUp(third, 3, { reason: "too large" }, at(3604), settings), at(7204)).sending, {
    page: 2,
    image: "c",
  });
});

test("on a label in ERROR the page under way is sent again before any other", (t) => {
  const first = sendingState("a", "b");
  const givenUp = { ...first, givenUp: "no report after 5 tries", sendDue: at(2) };
  t.like(begun(givenUp, at(2)).sending, { page: 0, image: "a" });
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
