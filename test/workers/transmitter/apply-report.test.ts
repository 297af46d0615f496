import test from "ava";
import fc from "fast-check";
import { applyReport } from "../../../domain/labels/apply-report.ts";
import { entriesOf } from "../../../schemas/history.ts";
import type { LabelReport } from "../../../schemas/label-report.ts";
import { type LabelState, newLabelState } from "../../../schemas/label-state.ts";
import { giveUp } from "../../../workers/transmitter/sending/send.ts";
import { wantImage } from "../../../workers/transmitter/wanted-image.ts";
import { at, begun, picture, report, sendingState, settings } from "./states.ts";

const acknowledged = (state: LabelState, transmission: number, seconds: number, receivedAt = seconds) =>
  applyReport(state, report("acknowledged", seconds, { transmission }), at(receivedAt));
const failed = (state: LabelState, transmission: number, seconds: number) =>
  applyReport(state, report("failed", seconds, { transmission }), at(seconds));
const checkIn = (state: LabelState, seconds: number, fields: Partial<LabelReport> = {}) =>
  applyReport(state, report("check-in", seconds, fields), at(seconds));

/** "a" was sent as number 1 without a report; "b" is under way as number 2 since second 1. */
const superseded = begun(wantImage(sendingState("a"), picture("b"), at(0.5)), at(1));

test("an acknowledged picture is shown since the label server's delivery time, and nothing is due", (t) => {
  t.like(acknowledged(sendingState("a"), 1, 3, 4), {
    shown: [{ page: 0, image: "a", deliveredAt: at(3) }],
    sending: undefined,
    sendDue: undefined,
    tries: 0,
  });
});

test("a check-in acknowledges nothing, whatever it names, and does not undo a later sign of life", (t) => {
  const state = checkIn(sendingState("a"), 3, { transmission: 1 });
  t.like(state, { shown: [], sending: { number: 1 }, lastSeen: at(3) });
  t.deepEqual(checkIn(state, 2).lastSeen, at(3));
});

test("a battery change is in the label's history", (t) => {
  const low = checkIn(sendingState("a"), 3, { battery: "LOW" });
  const [last] = entriesOf(checkIn(low, 4, { battery: "LOW" }).history ?? []);
  t.like(last, { at: at(3).getTime(), event: "battery", result: "LOW" });
});

test("an unknown transmission makes only its own page's previous picture uncertain", (t) => {
  const shown = [
    { page: 0, image: "a", deliveredAt: at(1), through: 1 },
    { page: 1, image: "b", deliveredAt: at(1), through: 2 },
  ];
  const wanted = picture("a", "b").pages.slice();
  const still: LabelState = { ...newLabelState(), wanted, shown, transmissions: 100 };
  const forgotten = applyReport(still, report("acknowledged", 5, { transmission: 99, page: 1 }), at(6));
  t.deepEqual(forgotten.shown, shown.slice(0, 1));
  t.deepEqual(forgotten.sendDue, at(6));
  const early = applyReport(still, report("acknowledged", 1, { transmission: 99, page: 1 }), at(6));
  t.deepEqual([early.shown, early.sendDue], [shown, undefined]);
  const due = { ...still, sendDue: at(9) };
  t.deepEqual(applyReport(due, report("acknowledged", 5, { transmission: 99, page: 1 }), at(6)).sendDue, at(9));
});

test("an acknowledgement that leaves another page wrong makes that page due immediately", (t) => {
  t.deepEqual(acknowledged(sendingState("a", "b"), 1, 3, 4).sendDue, at(4));
});

test("an acknowledgement of an outdated picture makes the wanted one due immediately", (t) => {
  t.deepEqual(acknowledged(wantImage(sendingState("a"), picture("b"), at(0.5)), 1, 3, 4).sendDue, at(4));
});

test("a superseded transmission that lands late is what the label shows: the wanted one is sent again", (t) => {
  const state = acknowledged(acknowledged(superseded, 2, 3), 1, 5, 6);
  t.like(state, { shown: [{ page: 0, image: "a", deliveredAt: at(5) }], sendDue: at(6) });
  t.like(begun(state, at(6)).sending, { number: 3, image: "b" });
});

test("a superseded transmission that lands while the next is under way does not stop it", (t) => {
  const state = acknowledged(superseded, 1, 1.5);
  t.like(state, { shown: [{ image: "a" }], sending: { number: 2 }, tries: 1, sendDue: superseded.sendDue });
});

test("a failed label stays in ERROR when a superseded transmission lands, and is sent to immediately", (t) => {
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

test("a report on a transmission that is no longer stored shows only that the label was reached", (t) => {
  const state = sendingState("a");
  for (const transmission of [7, undefined]) {
    const fields = transmission === undefined ? {} : { transmission };
    t.deepEqual(applyReport(state, report("acknowledged", 3, fields), at(3)), { ...state, lastSeen: at(3) });
  }
});

test("an unknown transmission that landed last on its page has the wanted picture sent again", (t) => {
  const shown = { ...acknowledged(sendingState("a"), 1, 3), transmissions: 100 };
  const unknown = (seconds: number, transmission = 99) =>
    applyReport(shown, report("acknowledged", seconds, { transmission, page: 0 }), at(9));
  t.like(unknown(5), { shown: [], sendDue: at(9) }, "at once, also where the label server's clock is ahead");
  t.like(unknown(3600), { shown: [], sendDue: at(9) });
  t.like(begun(unknown(5), at(9)).sending, { number: 101, image: "a" });
  t.deepEqual(unknown(2).shown, shown.shown, "one that landed before changes nothing");
  t.like(unknown(2, 101), { shown: [], sendDue: at(9) }, "a larger number than any known one landed later");
});

test("a repeated acknowledgement changes nothing", (t) => {
  for (const [state, transmission] of [
    [sendingState("a", "b"), 1],
    [superseded, 1],
    [superseded, 2],
  ] as const) {
    const once = acknowledged(state, transmission, 3);
    t.deepEqual(acknowledged(once, transmission, 3), once);
  }
});

test("lastUpdate is the last transmission, successful or not; lastOkUpdate is the last acknowledged one", (t) => {
  const good = acknowledged(sendingState("a"), 1, 3, 4);
  t.like(good, { lastUpdate: at(3), lastOkUpdate: at(3) });
  const sendingNext = begun(wantImage(good, picture("b"), at(5)), at(5));
  t.like(failed(sendingNext, 2, 6), { lastUpdate: at(6), lastOkUpdate: at(3) });
});

test("lastDisplayUpdate is the last acknowledged transmission that changed pixels", (t) => {
  const first = acknowledged(sendingState("a"), 1, 3);
  t.deepEqual(first.lastDisplayUpdate, at(3));
  const same = { ...first, sent: [...first.sent, { number: 2, page: 0, image: "a" }] };
  t.deepEqual(acknowledged(same, 2, 7).lastDisplayUpdate, at(3));
  t.deepEqual(acknowledged(same, 2, 7).lastOkUpdate, at(7));
  const other = { ...first, sent: [...first.sent, { number: 2, page: 0, image: "b" }] };
  t.deepEqual(acknowledged(other, 2, 7).lastDisplayUpdate, at(7));
});

const waits: [tries: number, seconds: number][] = [
  [1, 2],
  [2, 4],
  [3, 8],
  [7, 128],
  [8, 256],
  [9, 300],
  [50, 300],
];
for (const [tries, seconds] of waits) {
  test(`a transmission that failed at try ${tries} is repeated with its number after ${seconds} s or a little later`, (t) => {
    const state = failed({ ...sendingState("a"), tries }, 1, 10);
    t.like(state, { sending: { number: 1 }, tries });
    const waited = ((state.sendDue?.getTime() ?? 0) - at(10).getTime()) / 1000;
    t.true(waited >= seconds && waited <= 1.25 * seconds, `${waited} s`);
  });
}

test("labels whose transmissions failed together are not sent to together", (t) => {
  const due = Array.from({ length: 100 }, (_, index) => {
    const lost = report("failed", 10, { transmission: 1, barcode: `A${index}` });
    return applyReport(sendingState("a"), lost, at(10)).sendDue?.getTime();
  });
  t.true(new Set(due).size > 50);
});

test("a failure of a finished transmission repeats nothing", (t) => {
  t.like(failed(superseded, 1, 2), { sending: superseded.sending, sendDue: superseded.sendDue });
  t.is(failed(acknowledged(sendingState("a"), 1, 1), 1, 2).sendDue, undefined);
});

test("every report shows that the label was reached; an older report does not change that", (t) => {
  for (const kind of ["acknowledged", "failed", "check-in"] as const) {
    const seen = applyReport(newLabelState(), report(kind, 5), at(5));
    t.deepEqual(seen.lastSeen, at(5));
    t.deepEqual(applyReport(seen, report(kind, 4), at(6)).lastSeen, at(5));
    t.deepEqual(applyReport(seen, report(kind, 7), at(7)).lastSeen, at(7));
  }
});

test("a check-in alone sends and shows nothing", (t) => {
  const state = sendingState("a");
  t.deepEqual(checkIn(state, 3), { ...state, lastSeen: at(3), checksIn: true });
});

test("the newest report sets the hardware revision; a report without one keeps it", (t) => {
  const known = checkIn(checkIn(newLabelState(), 5, { hardwareRevision: "B" }), 3, { hardwareRevision: "A" });
  t.is(known.hardwareRevision, "B");
  t.is(checkIn(known, 6).hardwareRevision, "B");
  t.is(checkIn(known, 7, { hardwareRevision: "C" }).hardwareRevision, "C");
});

test("transceivers are stored newest first, each once and at most eight", (t) => {
  const transceiver = fc.integer({ min: 1, max: 12 }).map(String);
  fc.assert(
    fc.property(fc.array(transceiver, { maxLength: 40, size: "max" }), (names) => {
      const state = names.reduce(
        (known, latest, second) => checkIn(known, second, { transceiver: latest }),
        newLabelState(),
      );
      t.deepEqual(state.transceivers, [...new Set([...names].reverse())].slice(0, 8));
    }),
  );
});

test("a late report does not put its transceiver first", (t) => {
  const known = checkIn(newLabelState(), 5, { transceiver: "2" });
  t.deepEqual(checkIn(known, 4, { transceiver: "1" }).transceivers, ["2"]);
});

test("a transmission begun after a delivery was known landed after it, even if the label server's clock was set back", (t) => {
  const first = acknowledged(sendingState("a"), 1, 100);
  const second = acknowledged(begun(wantImage(first, picture("b"), at(101)), at(101)), 2, 5);
  t.like(second, { shown: [{ image: "b" }], sendDue: undefined });
});

test("a failed label that shows the wanted picture after all is no longer in ERROR", (t) => {
  const state = acknowledged(giveUp(sendingState("a"), 1, { reason: "no report" }, at(2), settings), 1, 5);
  t.like(state, { shown: [{ image: "a" }], givenUp: undefined, sendDue: undefined });
});

test("a late report does not set back the times of the last update", (t) => {
  const state = acknowledged(acknowledged(superseded, 2, 20), 1, 10, 21);
  t.deepEqual([state.lastUpdate, state.lastOkUpdate], [at(20), at(20)]);
});

const historyOf = ({ history = [] }: LabelState) =>
  entriesOf(history).map(({ result, transmission, image, reason, transceiver }) => ({
    result,
    transmission,
    ...(image && { image }),
    ...(reason && { reason }),
    ...(transceiver && { transceiver }),
  }));

test("the history has a transmission's result, its transceiver and the reason", (t) => {
  const lost = { transmission: 1, transceiver: "T2", reason: "lost in the air" };
  const again = begun(applyReport(sendingState("a"), report("failed", 1, lost), at(1)), at(9));
  const landed = applyReport(again, report("acknowledged", 10, { transmission: 1, transceiver: "T3" }), at(10));
  t.deepEqual(historyOf(landed), [
    { result: "acknowledged", transmission: 1, image: "a", transceiver: "T3" },
    { result: "failed", transmission: 1, image: "a", reason: "lost in the air", transceiver: "T2" },
    { result: "begun", transmission: 1, image: "a" },
  ]);
});

test("a retry is not recorded as a new beginning, and an abandoned picture has its reason", (t) => {
  const tried = begun(begun(sendingState("a"), at(1)), at(3));
  t.deepEqual(historyOf(giveUp(tried, 1, { reason: "too large" }, at(4), settings)), [
    { result: "given up", transmission: 1, image: "a", reason: "too large" },
    { result: "begun", transmission: 1, image: "a" },
  ]);
});

test("of two reports at the same moment the one that arrives later counts", (t) => {
  const first = checkIn(newLabelState(), 5, { battery: "OK", transceiver: "T1", hardwareRevision: "1" });
  const second = checkIn(first, 5, { battery: "LOW", transceiver: "T2", hardwareRevision: "2" });
  t.like(second, { battery: "LOW", transceivers: ["T2", "T1"], hardwareRevision: "2", lastSeen: at(5) });
});

test("if a larger number has an earlier time, the page may show either: the wanted picture is sent", (t) => {
  const state = { ...acknowledged(superseded, 1, 9), sending: undefined, sendDue: undefined };
  t.like(acknowledged(state, 2, 8, 10), { shown: [{ image: "a", uncertain: true }], sendDue: at(10) });
});

test("a picture that returns to an uncertain page changed its pixels, unless its report is repeated", (t) => {
  const shown = acknowledged(sendingState("a"), 1, 1);
  const lost = begun(wantImage(shown, picture("b"), at(2)), at(2));
  const again = begun({ ...wantImage(lost, picture("a"), at(3)), sendDue: at(3) }, at(3));
  t.deepEqual(acknowledged(again, 3, 4).lastDisplayUpdate, at(4));
  t.deepEqual(acknowledged({ ...again, lastDisplayUpdate: at(3) }, 1, 1).lastDisplayUpdate, at(3));
});

test("only the same delivery of the same transmission is a repeat", (t) => {
  const shown = acknowledged(sendingState("a"), 1, 5);
  const entries = ({ history = [] }: LabelState): number => history.length;
  const again = acknowledged(shown, 1, 5);
  t.is(entries(again), entries(shown));
  t.is(entries(acknowledged(shown, 1, 6)), entries(shown) + 1, "another time");

  // The same picture, sent again because a caller requested it.
  const resent = { ...shown, sent: [...shown.sent, { number: 2, page: 0, image: "a" }], transmissions: 2 };
  t.is(entries(acknowledged(resent, 2, 5)), entries(shown) + 1, "another transmission");
  const other = { ...shown, sent: [{ number: 1, page: 0, image: "b" }] };
  t.is(
    entries(applyReport(other, report("acknowledged", 5, { transmission: 1, transceiver: "T" }), at(6))),
    entries(shown) + 1,
  );
});

test("a repeat is recognized without the history, which a read state lacks", (t) => {
  const shown = { ...acknowledged(sendingState("a"), 1, 5), history: undefined };
  t.is(acknowledged(shown, 1, 5).history, undefined);
});

test("an unknown transmission that landed before the last known one of its page changes nothing of it", (t) => {
  const shown = { ...acknowledged(sendingState("a"), 1, 5), transmissions: 100 };
  const wanting = { ...shown, wanted: [{ page: 0, image: "b" }], sendDue: undefined };
  const late = applyReport(wanting, report("acknowledged", 5, { transmission: 99, page: 0 }), at(9));
  t.like(late, { shown: [{ page: 0, image: "a" }], sendDue: undefined });
  const after = applyReport(wanting, report("acknowledged", 6, { transmission: 99, page: 0 }), at(9));
  t.like(after, { shown: [], sendDue: at(9) });
});
