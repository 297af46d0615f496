import test from "ava";
import { calledOff, decideSwitch, isOver } from "../../../domain/labels/decide-switch.ts";
import type { Switch } from "../../../schemas/switch.ts";
import { at } from "../../workers/transmitter/states.ts";

const preparing: Switch = {
  ...{ showAt: at(100), deadline: at(40), atDeadline: "CALL_OFF", state: "PREPARING", open: true },
  preparedAt: at(41),
};

const cases: [
  rule: string,
  current: Partial<Switch>,
  isReady: boolean,
  seconds: number,
  expected: string | undefined,
][] = [
  ["before the deadline nothing is decided", {}, true, 39, undefined],
  ["all ready: it is ordered", {}, true, 42, "ORDERED"],
  ["some are not: it is called off", {}, false, 42, "CALLED_OFF NOT_READY"],
  ["some are not: it goes ahead, if the caller chose so", { atDeadline: "GO_AHEAD" }, false, 42, "ORDERED"],
  ["a preparation before the deadline is not enough", { preparedAt: at(39) }, true, 42, undefined],
  ["without a later one it is called off in time", { preparedAt: at(39) }, true, 98, "CALLED_OFF NOT_PREPARED"],
  ["without any, too", { preparedAt: undefined, atDeadline: "GO_AHEAD" }, true, 98, "CALLED_OFF NOT_PREPARED"],
  ["after its time it is too late", {}, true, 100, "CALLED_OFF TOO_LATE"],
  ["what was decided stays", { state: "ORDERED" }, false, 50, undefined],
];

for (const [rule, current, isReady, seconds, expected] of cases)
  test(rule, (t) => {
    const decided = decideSwitch({ ...preparing, ...current } as Switch, isReady, at(seconds));
    t.is(decided && [decided.state, decided.reason].filter(Boolean).join(" "), expected);
  });

test("a switch that was ordered and is called off needs a new answer of the label server", (t) => {
  const ordered: Switch = { ...preparing, state: "ORDERED", isTaken: true };
  t.like(calledOff(ordered, "BY_CALLER"), { state: "CALLED_OFF", reason: "BY_CALLER", isTaken: undefined, open: true });
});

test("a switch is over a minute after its time", (t) => {
  t.false(isOver(preparing, at(159)));
  t.true(isOver(preparing, at(160)));
});
