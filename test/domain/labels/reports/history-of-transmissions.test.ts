import test from "ava";
import { applyReport } from "../../../../domain/labels/apply-report.ts";
import { giveUp } from "../../../../domain/labels/next-transmission.ts";
import { entriesOf } from "../../../../schemas/label-history.ts";
import type { LabelState } from "../../../../schemas/label-state.ts";
import { at, begun, report, sendingState, settings } from "../../../workers/transmitter/states.ts";

const historyOf = ({ history = [] }: LabelState) =>
  entriesOf(history).map(({ result, transmission, image, reason, transceiver }) => ({
    result,
    transmission,
    ...(image && { image }),
    ...(reason && { reason }),
    ...(transceiver && { transceiver }),
  }));

test("the history has a transmission's result, its transceiver and its reason", (t) => {
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
