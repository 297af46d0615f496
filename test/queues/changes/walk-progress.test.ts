import test from "ava";
import { progressOf } from "../../../queues/changes/walk-progress.ts";
import type { Walk } from "../../../records/kinds/walk.ts";

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
const told = {
  queue: "evaluator",
  reason: "the pack is at rev 7",
  startedAt: new Date(1_000),
  checked: 2_000,
  stale: 500,
};

test("a walk under way tells what was looked at, of how many", (t) => {
  t.deepEqual(progressOf({ ...walk, total: 6_000 }), { ...told, total: 6_000 });
});

test("a walk that no worker has begun tells no total", (t) => {
  t.deepEqual(progressOf(walk), told);
});

test("what was added since a walk began counts: it never looked at more than there is", (t) => {
  t.is(progressOf({ ...walk, total: 1_500 }).total, 2_000);
});

test("a walk that is over has looked at all there was", (t) => {
  const finishedAt = new Date(3_000);
  t.deepEqual(progressOf({ ...walk, total: 6_000, finishedAt }), { ...told, total: 2_000, finishedAt });
});
