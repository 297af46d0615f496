import test from "ava";
import { keysThrough, lastKeyOf, positionAfterStage, positionToBegin } from "../../../queues/walks/walk-position.ts";
import type { Walk } from "../../../records/kinds/work.ts";

const walkAt = (fields: Partial<Walk>): Walk => ({
  queue: "renderer",
  scope: "t/demo/",
  reason: "a test asks",
  epoch: 1,
  startedAt: new Date(0),
  stage: 0,
  checked: 0,
  stale: 0,
  holder: "",
  heldUntil: new Date(0),
  ...fields,
});

/** Keys of two stages have no order between them. */
const STAGES = [["a", "b", "x"], ["d"], ["e", "f"]];

/** The keys that a walk checks from its position to its end. */
function walkOn(begun: Partial<Walk>): string[] {
  let walk: Walk | undefined = walkAt(begun);
  const checked: string[] = [];
  while (walk !== undefined) {
    const { stage, cursor } = walk;
    const ahead = (STAGES[stage] ?? []).filter((key) => cursor === undefined || key > cursor);
    checked.push(...keysThrough(ahead, lastKeyOf(walk)));
    const next = positionAfterStage(walk, STAGES.length);
    walk = next && { ...walk, ...next };
  }
  return checked;
}

const everything = STAGES.flat();

test("a walk without a predecessor begins with the first key and checks each once", (t) => {
  t.deepEqual(positionToBegin(undefined, "t/demo/"), { stage: 0 });
  t.deepEqual(positionToBegin(walkAt({}), "t/demo/"), { stage: 0 });
  t.deepEqual(positionToBegin(walkAt({ stage: 1, finishedAt: new Date(1) }), "t/demo/"), { stage: 0 });
  t.deepEqual(positionToBegin(walkAt({ stage: 1 }), "t/other/"), { stage: 0 }, "the earlier walk was over other keys");
  t.deepEqual(walkOn(positionToBegin(undefined, "t/demo/")), everything);
});

test("a walk that replaces another begins at its position and ends there after checking each key", (t) => {
  const places: Partial<Walk>[] = [
    { stage: 0, cursor: "a" },
    { stage: 0, cursor: "x" },
    { stage: 1 },
    { stage: 1, cursor: "d" },
    { stage: 2 },
    { stage: 2, cursor: "e" },
    { stage: 2, cursor: "f", began: { stage: 1 }, wrapped: true },
  ];
  for (const place of places) {
    const begun = positionToBegin(walkAt(place), "t/demo/");
    t.like(begun, { stage: place.stage, began: { stage: place.stage } });
    const checked = walkOn(begun);
    t.deepEqual(checked.toSorted(), everything.toSorted(), JSON.stringify(place));
    if (place.cursor !== undefined) t.is(checked.at(-1), place.cursor);
  }
});

test("keys are compared in the database's order, by their bytes", (t) => {
  t.deepEqual(keysThrough(["\u{ffff}", "\u{10000}"], "\u{ffff}"), ["\u{ffff}"]);
});
