import test from "ava";
import { applyReport } from "../../../../domain/labels/apply-report.ts";
import type { LabelState } from "../../../../schemas/label-state.ts";
import { acknowledged, at, report, sendingState } from "../../../workers/transmitter/states.ts";
import { superseded } from "./reported.ts";

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

test("a repeat is recognized without the history, which is not read with the state", (t) => {
  const shown = { ...acknowledged(sendingState("a"), 1, 5), history: undefined };
  t.is(acknowledged(shown, 1, 5).history, undefined);
});
