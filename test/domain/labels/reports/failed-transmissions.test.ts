import test from "ava";
import { applyReport } from "../../../../domain/labels/apply-report.ts";
import { acknowledged, at, report, sendingState } from "../../../workers/transmitter/states.ts";
import { failed, superseded } from "./reported.ts";

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
  test(`a transmission that failed at attempt ${tries} is repeated with its number after ${seconds} s or a little later`, (t) => {
    const state = failed({ ...sendingState("a"), tries }, 1, 10);
    t.like(state, { sending: { number: 1 }, tries });
    const waited = ((state.sendDue?.getTime() ?? 0) - at(10).getTime()) / 1000;
    t.true(waited >= seconds && waited <= 1.25 * seconds, `${waited} s`);
  });
}

test("labels whose transmissions failed together are not retried together", (t) => {
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
