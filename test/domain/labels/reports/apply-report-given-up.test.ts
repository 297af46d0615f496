import test from "ava";
import { applyReport } from "../../../../domain/labels/apply-report.ts";
import { giveUp } from "../../../../domain/labels/next-transmission.ts";
import type { LabelState } from "../../../../schemas/label-state.ts";
import { at, report, sendingState, settings } from "../../../workers/transmitter/states.ts";

const checkIn = (state: LabelState, seconds: number): LabelState =>
  applyReport(state, report("check-in", seconds), at(seconds));

/** A label that accepted no picture: its next transmission is due in an hour. */
const givenUp = (more: Partial<LabelState> = {}): LabelState => ({
  ...giveUp(sendingState("a"), 1, { reason: "no answer" }, at(10), settings),
  lastSeen: at(20),
  ...more,
});
const HOUR_S = 3_600;

test("a failed label that checks in is sent its picture immediately, whatever was reported before", (t) => {
  t.like(checkIn(givenUp(), 30), { sending: undefined, woken: at(30), sendDue: at(30), givenUp: "no answer" });
  t.like(checkIn(givenUp({ lastSeen: undefined }), 30), { woken: at(30), sendDue: at(30) });
});

test("an outdated report does not wake a label", (t) => {
  const state = givenUp();
  for (const second of [5, 20]) {
    const next = applyReport(state, report("check-in", second), at(30));
    t.like(next, { sendDue: state.sendDue, woken: undefined }, `${second}`);
  }
  t.like(applyReport(state, report("failed", 30, { transmission: 1 }), at(30)), { sendDue: state.sendDue });
});

test("a failed label that keeps checking in is sent its picture at most once an hour", (t) => {
  const state = givenUp({ woken: at(100) });
  t.like(checkIn(state, 100 + HOUR_S - 1), { woken: at(100), sendDue: state.sendDue });
  t.like(checkIn(state, 100 + HOUR_S), { woken: at(100 + HOUR_S), sendDue: at(100 + HOUR_S) });
});

test("a failed label that lacks nothing is not sent anything", (t) => {
  const lacksNothing = givenUp({ shown: [{ page: 0, image: "a", deliveredAt: at(9), through: 1 }] });
  t.like(checkIn(lacksNothing, 30), { sendDue: lacksNothing.sendDue, woken: undefined });
});

test("a check-in from a label that has not failed sends nothing", (t) => {
  const state = sendingState("a");
  t.like(checkIn(state, 30), { sending: state.sending, sendDue: state.sendDue, woken: undefined });
});
