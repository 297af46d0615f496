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
  ["nothing is decided before the deadline", {}, "READY", 39, undefined],
  ["all labels are ready: the switch is ordered", {}, "READY", 42, "ORDERED"],
  ["some labels are not ready: the switch is called off", {}, "NOT_READY", 42, "CALLED_OFF NOT_READY"],
  [
    "some labels are not ready: the switch goes ahead if the caller chose so",
    { atDeadline: "GO_AHEAD" },
    "NOT_READY",
    42,
    "ORDERED",
  ],
  ["a preparation before the deadline is not enough", { preparedAt: at(39) }, "READY", 42, undefined],
  [
    "without a later preparation the switch is called off in time",
    { preparedAt: at(39) },
    "READY",
    98,
    "CALLED_OFF NOT_PREPARED",
  ],
  [
    "without any preparation the switch is called off in time",
    { preparedAt: undefined, atDeadline: "GO_AHEAD" },
    "READY",
    98,
    "CALLED_OFF NOT_PREPARED",
  ],
  ["a switch that is not decided by its time is called off", {}, "READY", 100, "CALLED_OFF TOO_LATE"],
  ["nothing is ordered while the label server has a stale picture", { atDeadline: "GO_AHEAD" }, "STALE", 42, undefined],
  [
    "if the label server keeps the stale picture, the switch is called off in time",
    {},
    "STALE",
    98,
    "CALLED_OFF NOT_PREPARED",
  ],
  ["a switch that was never committed is called off", { commit: "AWAITED" }, "READY", 42, "CALLED_OFF NOT_COMMITTED"],
  ["a committed switch is decided like any other", { commit: "COMMITTED" }, "READY", 42, "ORDERED"],
  ["a decision is final", { state: "ORDERED" }, "NOT_READY", 50, undefined],
];

for (const [rule, current, progress, seconds, expected] of cases)
  test(rule, (t) => {
    const decided = decideSwitch({ ...preparing, ...current } as Switch, progress, at(seconds));
    t.is(decided && [decided.state, decided.reason].filter(Boolean).join(" "), expected);
  });

test("if an ordered switch is called off, the label server must answer again", (t) => {
  const ordered: Switch = { ...preparing, state: "ORDERED", isTaken: true };
  t.like(calledOff(ordered, "BY_CALLER"), { state: "CALLED_OFF", reason: "BY_CALLER", isTaken: undefined, open: true });
});

test("a switch that one of several label servers has accepted in time takes place for that server's labels", (t) => {
  const ordered: Switch = { ...preparing, state: "ORDERED" };
  t.is(afterOrder(ordered, "taken")?.isTaken, true);
  t.is(afterOrder(ordered, "later"), undefined);
  t.like(afterOrder(ordered, "refused"), { state: "CALLED_OFF", reason: "REFUSED" });
  t.like(unlessTaken(ordered), { state: "CALLED_OFF", reason: "TOO_LATE" });
  const partly = afterOrder(ordered, "partly taken") ?? ordered;
  t.is(afterOrder(partly, "partly taken"), undefined, "the answer is written once");
  t.like(unlessTaken(partly), { state: "ORDERED", isTaken: true });
  t.is(unlessTaken({ ...ordered, isTaken: true }), undefined);
  for (const answer of ["taken", "partly taken", "refused"] as const)
    t.is(afterOrder(preparing, answer), undefined, "another decision was made in the meantime");
});

test("a switch is over a minute after its time", (t) => {
  t.false(isOver(preparing, at(159)));
  t.true(isOver(preparing, at(160)));
});

test("a switch that awaits a commit can be committed once, before its deadline", (t) => {
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

test("changes that come due without a commit close their switch, and changes of any other switch take effect", (t) => {
  t.like(givenUp({ ...preparing, commit: "AWAITED" }), { state: "CALLED_OFF", reason: "NOT_COMMITTED" });
  t.is(givenUp({ ...preparing, commit: "COMMITTED" }), undefined);
  t.is(givenUp(preparing), undefined);
});

test("the required percentage of labels is checked once all pictures have been prepared", (t) => {
  t.true(isReady({ ...preparing, readyPercent: 98 }, { prepared: 100, ready: 98 }));
  t.false(isReady({ ...preparing, readyPercent: 98 }, { prepared: 100, ready: 97 }));
  t.false(isReady(preparing, { prepared: 100, ready: 99 }));
  t.false(isReady({ readyPercent: 1 }, { prepared: 0, ready: 0 }));
});
