import test from "ava";
import { progressOf } from "../../../queues/walks/walk-progress.ts";
import type { Walk } from "../../../records/kinds/work.ts";

const walk: Walk = {
  queue: "evaluator",
  scope: "t/demo/",
  reason: "the pack is at rev 7",
  epoch: 3,
  startedAt: new Date(1_000),
  stage: 0,
  cursor: "t/demo/s/main/links/A1-0",
  checked: 2_000,
  stale: 500,
  holder: "a process",
  heldUntil: new Date(2_000),
};
const progress = {
  queue: "evaluator",
  reason: "the pack is at rev 7",
  startedAt: new Date(1_000),
  checked: 2_000,
  stale: 500,
};

test("an active walk shows how many records it has checked and how many there are", (t) => {
  t.deepEqual(progressOf({ ...walk, total: 6_000 }), { ...progress, total: 6_000 });
});

test("a walk has no total until a walk of its kind has ended", (t) => {
  t.deepEqual(progressOf(walk), progress);
});

test("records added since the last walk are counted, so the checked number never exceeds the total", (t) => {
  t.is(progressOf({ ...walk, total: 1_500 }).total, 2_000);
});

test("a finished walk has checked its total", (t) => {
  const finishedAt = new Date(3_000);
  t.deepEqual(progressOf({ ...walk, total: 6_000, finishedAt }), { ...progress, total: 2_000, finishedAt });
});
