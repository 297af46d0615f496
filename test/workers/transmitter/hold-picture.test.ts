import test from "ava";
import type { Choice, Unread } from "../../../queues/publish/choices.ts";
import { holdUntil, type KnownChoices } from "../../../workers/transmitter/hold-picture.ts";

const CHANGED = Date.parse("2026-11-24T12:00:00Z");
const shown = { link: "a", linkRev: 1, item: "milk", itemRev: CHANGED, design: "offer" };
const until = new Date(CHANGED + 2_000);
const knownOf = (choices: readonly (readonly [string, Choice])[], unread?: Unread): KnownChoices => ({
  choices: new Map(choices),
  unread: new Map(unread ? [["milk", unread]] : []),
});

test("rule 11: a picture waits at most two seconds until the rules have chosen for its item and the new design's picture is there", (t) => {
  const holds: [what: string, choice: Choice | undefined, afterMs: number, held: Date | undefined][] = [
    ["there is no choice yet", undefined, 0, until],
    ["the choice is for another item", { itemRev: CHANGED - 1, design: "offer" }, 1_999, until],
    ["a different design is chosen", { itemRev: CHANGED, design: "regular" }, 1_999, until],
    ["no design fits any longer", { itemRev: CHANGED, design: null }, 1_999, until],
    ["the design stays", { itemRev: CHANGED, design: "offer" }, 0, undefined],
    ["the design stays, even for a later change", { itemRev: CHANGED + 5, design: "offer" }, 0, undefined],
    ["two seconds pass without a choice", undefined, 2_000, undefined],
    ["two seconds pass with a different choice", { itemRev: CHANGED, design: "regular" }, 2_000, undefined],
  ];
  for (const [what, choice, afterMs, held] of holds) {
    const known = knownOf(choice ? [["a", choice]] : []);
    t.deepEqual(holdUntil({ shows: [shown], chosen: ["a"] }, known, new Date(CHANGED + afterMs)), held, what);
  }
});

test("on a label with several positions every rule-based link counts, and designer and ECC links do not", (t) => {
  const now = new Date(CHANGED + 100);
  const later = { ...shown, link: "b", itemRev: CHANGED + 50 };
  const a: [string, Choice] = ["a", { itemRev: CHANGED, design: "offer" }];
  const image = { shows: [shown, later], chosen: ["a", "b"] };
  t.deepEqual(holdUntil(image, knownOf([a]), now), new Date(CHANGED + 2_050));
  t.is(holdUntil({ ...image, chosen: ["a"] }, knownOf([a]), now), undefined);
  t.is(holdUntil({ shows: [shown] }, knownOf([]), now), undefined, "drawn before `chosen` was recorded");
});

test("if no rule reads a change, its picture waits only for an earlier change that a rule may read", (t) => {
  const recent = CHANGED - 500;
  const holds: [what: string, unread: Unread | undefined, choice: Choice | undefined, held: Date | undefined][] = [
    ["nothing changed shortly before", { from: CHANGED - 2_000, to: CHANGED }, undefined, undefined],
    [
      "the rules have chosen for the previous change",
      { from: recent, to: CHANGED },
      { itemRev: recent, design: "offer" },
      undefined,
    ],
    ["the rules have not chosen for the previous change", { from: recent, to: CHANGED }, undefined, until],
    [
      "the rules chose a different design for the previous change",
      { from: recent, to: CHANGED },
      { itemRev: recent, design: "regular" },
      until,
    ],
    ["the picture shows a later change", { from: recent - 2_000, to: recent }, undefined, until],
    ["the picture shows an earlier change than the unread ones", { from: CHANGED, to: CHANGED + 5 }, undefined, until],
  ];
  for (const [what, unread, choice, held] of holds) {
    const known = knownOf(choice ? [["a", choice]] : [], unread);
    t.deepEqual(holdUntil({ shows: [shown], chosen: ["a"] }, known, new Date(CHANGED)), held, what);
  }
});
