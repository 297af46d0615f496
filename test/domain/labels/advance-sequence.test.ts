import test from "ava";
import {
  advanceSequence,
  afterOrders,
  beginSequence,
  hasOrders,
  LEASE_MS,
  type PressOf,
  stopSequence,
} from "../../../domain/labels/advance-sequence.ts";
import type { FlashSequence, Step } from "../../../schemas/flash-sequence.ts";

const at = (seconds: number): Date => new Date(Date.UTC(2026, 0, 1) + seconds * 1000);
const lease = LEASE_MS / 1000;
const DURATION = 60;

const step = (...barcodes: string[]): Step => ({
  labels: barcodes.map((barcode) => ({
    barcode,
    hasButton: !barcode.startsWith("plain"),
    transceivers: [],
    flash: { duration: DURATION, color: "GREEN", flashType: 50 },
  })),
});
/** The last press of each label, in seconds of the label server's clock. */
const presses =
  (last: Record<string, number> = {}): PressOf =>
  (barcode) =>
    last[barcode] === undefined ? undefined : { button: 1, at: at(last[barcode]) };

const begin = (steps: Step[], last = {}, advance: FlashSequence["advance"] = "button") =>
  beginSequence({ advance, steps }, presses(last), at(0));
const lit = (sequence: FlashSequence, seconds = 0): FlashSequence =>
  afterOrders(sequence, sequence, at(seconds)) ?? sequence;
/** The sequence after these presses; unchanged if they have no effect. */
const press = (sequence: FlashSequence, last: Record<string, number>, seconds: number): FlashSequence =>
  advanceSequence(sequence, presses(last), at(seconds)) ?? sequence;
const after = (sequence: FlashSequence, seconds: number) => advanceSequence(sequence, presses(), at(seconds));
const resultsOf = ({ steps }: FlashSequence) => steps.map(({ result }) => result);

const cases: [rule: string, actual: () => unknown, expected: unknown][] = [
  ["a new sequence has its first step under way and is due immediately", () => begin([step("A")]).due, at(0)],
  [
    "a step without a label is skipped",
    () => [begin([step(), step("B")]).step, resultsOf(begin([step(), step("B")]))],
    [1, ["skipped", undefined]],
  ],
  [
    "a sequence without any label is finished and never due",
    () => [begin([step(), step()]).state, begin([step()]).due, hasOrders(begin([step()]))],
    ["finished", undefined, false],
  ],
  ["a lit step is due after its duration", () => lit(begin([step("A"), step("B")]), 2).due, at(2 + DURATION)],
  [
    "a press of the step's label ends the step, stops its flash and begins the next",
    () => {
      const next = press(lit(begin([step("A"), step("B")])), { A: 5 }, 6);
      return [next.step, resultsOf(next), next.toStop, next.litAt, next.due, next.steps[0]?.pressed];
    },
    [1, ["pressed", undefined], ["A"], undefined, at(6 + lease), { barcode: "A", button: 1, at: at(5) }],
  ],
  ["a press of another label changes nothing", () => after(lit(begin([step("A"), step("B")])), 6), undefined],
  [
    "a press from before the step began changes nothing",
    () => press(lit(begin([step("A")], { A: 1 })), { A: 1 }, 6).step,
    0,
  ],
  [
    "a press that is reported twice counts once, even if the next step has the same label",
    () => {
      const next = lit(press(lit(begin([step("A"), step("A"), step("B")])), { A: 5 }, 6), 6);
      return [next.step, press(next, { A: 5 }, 7) === next, press(next, { A: 8 }, 9).step];
    },
    [1, true, 2],
  ],
  [
    "a press from before the next step began does not end that step",
    () => press(lit(press(lit(begin([step("A"), step("B")])), { A: 5, B: 4 }, 6), 6), { A: 5, B: 4 }, 7).step,
    1,
  ],
  [
    "a press counts even before the step's orders are known to have been sent, since they may have been",
    () => press(begin([step("A"), step("B")]), { A: 5 }, 6).step,
    1,
  ],
  [
    "a press of any of a step's labels ends the step, and all its labels stop",
    () => press(lit(begin([step("A", "B"), step("C")])), { B: 5 }, 6).toStop,
    ["A", "B"],
  ],
  [
    "a label that is also in the next step is not stopped: its new flash replaces the old one",
    () => press(lit(begin([step("A", "B"), step("B")])), { A: 5 }, 6).toStop,
    ["A"],
  ],
  [
    "a step without a press times out, and the sequence continues",
    () => {
      const next = press(lit(begin([step("A"), step("B")])), {}, DURATION);
      return [next.step, resultsOf(next)];
    },
    [1, ["timed out", undefined]],
  ],
  ["a step lasts for its whole duration", () => after(lit(begin([step("A"), step("B")])), DURATION - 1), undefined],
  [
    "a label without a button is acknowledged when its time is over, never by a press",
    () => {
      const sequence = lit(begin([step("plain"), step("B")]));
      return [press(sequence, { plain: 5 }, 6).step, resultsOf(press(sequence, {}, DURATION))];
    },
    [0, ["time over", undefined]],
  ],
  [
    "in a timed sequence presses have no effect",
    () => {
      const sequence = lit(begin([step("A"), step("B")], {}, "time"));
      return [press(sequence, { A: 5 }, 6).step, resultsOf(press(sequence, {}, DURATION))];
    },
    [0, ["time over", undefined]],
  ],
  [
    "after its last step a sequence is finished, but stays due until its last flash is stopped",
    () => {
      const ended = press(lit(begin([step("A")])), { A: 5 }, 6);
      const done = lit(ended, 7);
      return [ended.state, ended.toStop, ended.due, done.due, hasOrders(done)];
    },
    ["finished", ["A"], at(6 + lease), undefined, false],
  ],
  [
    "orders that a killed process did not send are taken by one other process after the lease",
    () => {
      const taken = press(begin([step("A")]), {}, 1);
      return [taken.due, after(taken, 1 + lease - 1), after(taken, 1 + lease)?.due];
    },
    [at(1 + lease), undefined, at(1 + 2 * lease)],
  ],
  [
    "orders that were sent for a finished step do not count for the next step",
    () => {
      const first = begin([step("A"), step("B")]);
      return afterOrders(press(first, { A: 5 }, 6), first, at(7));
    },
    undefined,
  ],
  [
    "orders that were sent before a stop do not count as orders of the stop",
    () => {
      const first = begin([step("A")]);
      const stopped = stopSequence(first, at(1)) ?? first;
      return afterOrders(stopped, first, at(2));
    },
    undefined,
  ],
  [
    "a stop ends the step, and the process that takes the sequence stops the label's flash",
    () => {
      const stopped = stopSequence(lit(begin([step("A"), step("B")])), at(9));
      return [stopped?.state, stopped && resultsOf(stopped), stopped?.toStop, stopped?.due, stopped?.endedAt];
    },
    ["stopped", ["stopped", undefined], ["A"], at(9), at(9)],
  ],
  [
    "a stopped sequence is not advanced by presses, and not stopped again",
    () => {
      const stopped = lit(stopSequence(lit(begin([step("A")])), at(9)) ?? begin([]), 9);
      return [press(stopped, { A: 10 }, 11) === stopped, stopSequence(stopped, at(12))];
    },
    [true, undefined],
  ],
];
for (const [rule, actual, expected] of cases) {
  test(rule, (t) => t.deepEqual(actual(), expected));
}
