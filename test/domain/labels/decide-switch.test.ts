import test from "ava";
import {
  afterOrder,
  calledOff,
  committed,
  decideSwitch,
  givenUp,
  isOver,
  isReady,
  type SwitchProgress,
  unlessTaken,
} from "../../../domain/labels/decide-switch.ts";
import type { Switch } from "../../../schemas/switch.ts";
import { at } from "../../workers/transmitter/states.ts";

const preparing: Switch = {
  ...{ showAt: at(100), deadline: at(40), atDeadline: "CALL_OFF", state: "PREPARING", open: true },
  preparedAt: at(41),
};

const cases: [
  rule: string,
  current: Partial<Switch>,
  progress: SwitchProgress,
  seconds: number,
  expected: string | undefined,
][] = [
  ["before the deadline nothing is decided", {}, "READY", 39, undefined],
  ["all ready: it is ordered", {}, "READY", 42, "ORDERED"],
  ["some are not: it is called off", {}, "NOT_READY", 42, "CALLED_OFF NOT_READY"],
  ["some are not: it goes ahead, if the caller chose so", { atDeadline: "GO_AHEAD" }, "NOT_READY", 42, "ORDERED"],
  ["a preparation before the deadline is not enough", { preparedAt: at(39) }, "READY", 42, undefined],
  ["without a later one it is called off in time", { preparedAt: at(39) }, "READY", 98, "CALLED_OFF NOT_PREPARED"],
  ["without any, too", { preparedAt: undefined, atDeadline: "GO_AHEAD" }, "READY", 98, "CALLED_OFF NOT_PREPARED"],
  ["after its time it is too late", {}, "READY", 100, "CALLED_OFF TOO_LATE"],
  ["nothing is ordered while the label server has a stale picture", { atDeadline: "GO_AHEAD" }, "STALE", 42, undefined],
  ["if it keeps that, the switch is called off in time", {}, "STALE", 98, "CALLED_OFF NOT_PREPARED"],
  ["one that nobody committed is called off", { commit: "AWAITED" }, "READY", 42, "CALLED_OFF NOT_COMMITTED"],
  ["a committed one is decided like any other", { commit: "COMMITTED" }, "READY", 42, "ORDERED"],
  ["what was decided stays", { state: "ORDERED" }, "NOT_READY", 50, undefined],
];

for (const [rule, current, progress, seconds, expected] of cases)
  test(rule, (t) => {
    const decided = decideSwitch({ ...preparing, ...current } as Switch, progress, at(seconds));
    t.is(decided && [decided.state, decided.reason].filter(Boolean).join(" "), expected);
  });

test("a switch that was ordered and is called off needs a new answer of the label server", (t) => {
  const ordered: Switch = { ...preparing, state: "ORDERED", isTaken: true };
  t.like(calledOff(ordered, "BY_CALLER"), { state: "CALLED_OFF", reason: "BY_CALLER", isTaken: undefined, open: true });
});

test("a switch that one of several label servers has taken in time takes place for its labels", (t) => {
  const ordered: Switch = { ...preparing, state: "ORDERED" };
  t.is(afterOrder(ordered, "taken")?.isTaken, true);
  t.is(afterOrder(ordered, "later"), undefined);
  t.like(afterOrder(ordered, "refused"), { state: "CALLED_OFF", reason: "REFUSED" });
  t.like(unlessTaken(ordered), { state: "CALLED_OFF", reason: "TOO_LATE" });
  const partly = afterOrder(ordered, "partly taken") ?? ordered;
  t.is(afterOrder(partly, "partly taken"), undefined, "it is written once");
  t.like(unlessTaken(partly), { state: "ORDERED", isTaken: true });
  t.is(unlessTaken({ ...ordered, isTaken: true }), undefined);
  for (const answer of ["taken", "partly taken", "refused"] as const)
    t.is(afterOrder(preparing, answer), undefined, "it was decided otherwise meanwhile");
});

test("a switch is over a minute after its time", (t) => {
  t.false(isOver(preparing, at(159)));
  t.true(isOver(preparing, at(160)));
});

test("a switch is committed before its deadline, once, if that is awaited", (t) => {
  const awaiting: Switch = { ...preparing, commit: "AWAITED" };
  t.is(committed(awaiting, at(39))?.commit, "COMMITTED");
  for (const [current, seconds] of [
    [awaiting, 40],
    [preparing, 39],
    [calledOff(awaiting, "BY_CALLER"), 39],
    [{ ...awaiting, commit: "COMMITTED" }, 39],
  ] as const)
    t.is(committed(current, at(seconds)), undefined);
});

test("changes that come due without a commit close their switch; those of any other take effect", (t) => {
  t.like(givenUp({ ...preparing, commit: "AWAITED" }), { state: "CALLED_OFF", reason: "NOT_COMMITTED" });
  t.is(givenUp({ ...preparing, commit: "COMMITTED" }), undefined);
  t.is(givenUp(preparing), undefined);
});

test("enough labels are ready by their percentage, once all pictures were prepared", (t) => {
  t.true(isReady({ ...preparing, readyPercent: 98 }, { prepared: 100, ready: 98 }));
  t.false(isReady({ ...preparing, readyPercent: 98 }, { prepared: 100, ready: 97 }));
  t.false(isReady(preparing, { prepared: 100, ready: 99 }));
  t.false(isReady({ readyPercent: 1 }, { prepared: 0, ready: 0 }));
});
