import test from "ava";
import { createTally, findWrong, transmissionsPerChange } from "../../../../scripts/develop/chaos/drivers/tally.ts";

const lists = ["one", "two", "three"];

test("a label whose pictures become newer and end with the newest is right, whatever was skipped or repeated", (t) => {
  t.deepEqual(findWrong("A", { sent: ["one", "one", "three", "three"], shown: ["one", "three"] }, lists), []);
});

for (const [what, story, expected] of [
  ["ends with an older picture", { sent: ["two"], shown: ["two"] }, "label A does not show the picture of list 3"],
  [
    "is sent an older picture after a newer one",
    { sent: ["two", "one", "three"], shown: ["two", "three"] },
    "label A was sent the picture of list 1 after that of list 2",
  ],
  [
    "shows an older picture after a newer one",
    { sent: ["one", "two", "three"], shown: ["two", "one", "three"] },
    "label A showed the picture of list 1 after that of list 2",
  ],
  [
    "is sent a picture of no list",
    { sent: ["another", "three"], shown: ["three"] },
    "label A was sent a picture of no list",
  ],
] as const)
  test(`a label that ${what} is found`, (t) => {
    t.deepEqual(findWrong("A", { sent: [...story.sent], shown: [...story.shown] }, lists), [expected]);
  });

test("transmissions per change leave out lost transmissions, and count each picture that was sent to a label as a change", (t) => {
  const tally = createTally();
  for (const digest of ["one", "one", "one", "three"]) tally.sent("A", digest);
  tally.sent("B", "three");
  t.is(transmissionsPerChange([tally.storyOf("A"), tally.storyOf("B")], 0), 5 / 3);
  t.is(transmissionsPerChange([tally.storyOf("A"), tally.storyOf("B")], 2), 1);
});

test("a picture that a label reports twice is shown once", (t) => {
  const tally = createTally();
  for (const digest of ["one", "one", "two"]) tally.shows("A", digest);
  t.deepEqual(tally.storyOf("A").shown, ["one", "two"]);
});
