import test from "ava";
import {
  createDenials,
  type Denial,
  nextDenial,
  waitAfterDenial,
} from "../../../../workers/transmitter/servers/denials.ts";

for (const [what, before, takenBefore, times] of [
  ["for the first time", undefined, 9, 0],
  ["again while no other label was accepted", { times: 0, takenBefore: 9 }, 9, 0],
  ["again while another label was accepted", { times: 0, takenBefore: 9 }, 10, 1],
  ["once more while other labels were accepted", { times: 1, takenBefore: 10 }, 40, 2],
  ["once more, without any call", { times: 2, takenBefore: 40 }, 40, 2],
] as [string, Denial | undefined, number, number][])
  test(`a label that is denied ${what} counts as denied individually ${times} times`, (t) =>
    t.deepEqual(nextDenial(before, takenBefore), { times, takenBefore }));

for (const [times, seconds] of [
  [0, 3],
  [1, 6],
  [2, 12],
  [6, 192],
  [7, 300],
  [2_000, 300],
] as const)
  test(`a label that was denied individually ${times} times waits ${seconds} s`, (t) =>
    t.is(waitAfterDenial({ times, takenBefore: 0 }, 3_000), seconds * 1000));

test("if every label is denied, none backs off, and the circuit opens", (t) => {
  const denials = createDenials(() => 7);
  for (let round = 0; round < 3; round += 1)
    for (const label of ["a", "b", "c"]) t.deepEqual(denials.denied(label, 3_000), { afterMs: 3_000, isAlone: false });
  t.true(denials.isOpen());
  t.is(denials.failingSince(), 7);
});

test("if single labels are denied, they back off, and the others continue", (t) => {
  const denials = createDenials(() => 7);
  const waits: number[] = [];
  for (let round = 0; round < 4; round += 1) {
    for (const label of ["a", "b"]) waits.push(denials.denied(label, 3_000).afterMs / 1000);
    denials.taken("other");
  }
  t.deepEqual(waits, [3, 3, 6, 6, 12, 12, 24, 24]);
  for (let call = 0; call < 9; call += 1) t.true(denials.denied("a", 3_000).isAlone);
  t.false(denials.isOpen());
  t.is(denials.failingSince(), undefined, "the label server does not count as denying");
});

test("an accepted label starts over", (t) => {
  const denials = createDenials(() => 7);
  denials.denied("a", 3_000);
  denials.taken("b");
  t.is(denials.denied("a", 3_000).afterMs, 6_000);
  denials.taken("a");
  t.deepEqual(denials.denied("a", 3_000), { afterMs: 3_000, isAlone: false });
});
