import test from "ava";
import { timesFromCall } from "../../../../workers/transmitter/reports/times-from-call.ts";

const now = new Date(10_000);
const cause = { acceptedAt: 7_500, urgency: "interactive" } as const;
const sent = [
  { number: 1, page: 0, image: "a", cause },
  { number: 2, page: 0, image: "b", cause: { call: "a call without a request" } },
  { number: 3, page: 0, image: "c" },
];
const landed = (transmission: number, tookMs?: number) => ({ transmission, ...(tookMs !== undefined && { tookMs }) });

for (const [what, entries, expected] of [
  [
    "a new picture's time is counted from the acceptance of its call",
    [landed(1, 9)],
    [{ urgency: "interactive", seconds: 2.5 }],
  ],
  ["a picture that its page already showed is not timed", [landed(1)], []],
  ["a picture without a request is not timed", [landed(2, 9), landed(3, 9)], []],
  ["a transmission that is no longer stored is not timed", [landed(4, 9)], []],
] as const)
  test(what, (t) => t.deepEqual(timesFromCall(entries, { sent }, now), [...expected]));

test("nothing is timed for an unknown label", (t) => {
  t.deepEqual(timesFromCall([landed(1, 9)], undefined, now), []);
});

test("the time is zero for a call that a clock dates in the future", (t) => {
  t.deepEqual(timesFromCall([landed(1, 9)], { sent }, new Date(0)), [{ urgency: "interactive", seconds: 0 }]);
});
