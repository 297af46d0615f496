import test from "ava";
import { walkCollection } from "../../../queues/walks/walk.ts";
import type { Walk } from "../../../records/kinds/work.ts";
import { ownSystem } from "../../harness/own.ts";
import { isFree, KEY, never, only, QUEUE, SCOPE, walkersOf } from "./a-walker.ts";

/** One walker on a real database, with batches of two keys: its stored state, its enqueued keys, and its position. */
const own = ownSystem();
const { clear, enqueued, open, read } = walkersOf(own);

test.beforeEach(clear);

test.serial("a walk begins at its first key, can be taken by any process, and counts from zero", async (t) => {
  const walker = open();
  const before = Date.now();
  const { _id, startedAt, heldUntil, ...walk } = await walker.begin({ reason: "a change", runId: "r", audit: 4 });
  t.is(_id, KEY);
  t.true(startedAt.getTime() >= before && startedAt.getTime() <= Date.now());
  t.is(heldUntil.getTime(), 0);
  t.like(walk, {
    reason: "a change",
    runId: "r",
    audit: 4,
    queue: QUEUE,
    scope: SCOPE,
    epoch: 1,
    stage: 0,
    holder: "",
  });
  t.like(walk, { checked: 0, stale: 0, total: undefined, provenAt: undefined, cursor: undefined, began: undefined });
  t.like(walker.lines[0], {
    level: 20,
    queue: QUEUE,
    scope: SCOPE,
    reason: "a change",
    generation: 1,
    msg: "a walk begins",
  });
});

test.serial("a walk replaces the previous one, unless another process has begun one for the same reason", async (t) => {
  const walker = open();
  await walker.begin();
  t.is((await walker.begin({ reason: "newer" })).epoch, 2);
  const isBegun = ({ reason }: Walk) => reason === "newer";
  t.is(await walker.beginUnless(isBegun), undefined);
  t.like(await read(), { epoch: 2, reason: "newer" });
  t.is((await walker.beginUnless(({ epoch }) => epoch === 1))?.epoch, 3);
});

test.serial(
  "a walk checks every key of each stage, ends with its counts, and proves the state if no key is stale",
  async (t) => {
    const walker = open({ stages: { first: () => [], second: () => [] } });
    const begun = await walker.begin();
    t.is(await walker.walk(begun, never), 10);
    t.deepEqual(walker.looked, ["first a b", "first c d", "first e", "second a b", "second c d", "second e"]);
    const walk = await read();
    t.like(walk, { checked: 10, total: 10, stale: 0, stage: 1, provenAt: begun.startedAt });
    t.true(walk.finishedAt !== undefined && walk.finishedAt >= begun.startedAt);
    t.true(isFree(walk));
    t.deepEqual(await enqueued(), []);
    t.like(walker.lines.at(-1), {
      level: 20,
      checked: 10,
      stale: 0,
      generation: 1,
      scope: SCOPE,
      queue: QUEUE,
      msg: "a walk has ended",
    });
    t.is(await walker.walk(walk, never), 0, "an ended walk is not walked");
  },
);

test.serial("the next walk keeps the total and the last proof, even if it finds stale keys", async (t) => {
  const first = open();
  const begun = await first.begin();
  await first.walk(begun, never);
  const second = open({ stages: only("t/one/b") });
  const next = await second.begin();
  t.like(next, { checked: 0, stale: 0, total: 5, provenAt: begun.startedAt, epoch: 2 });
  await second.walk(next, never);
  t.like(await read(), { stale: 1, total: 5, provenAt: begun.startedAt });
  const third = await first.begin();
  await first.walk(third, never);
  t.deepEqual((await read()).provenAt, third.startedAt, "a walk without stale keys proves the state at its beginning");
});

test.serial("stale keys become changes without fields on the stage's topic, and live work precedes them", async (t) => {
  const walker = open({ stages: only("t/one/b", "t/one/c", "t/one/e") });
  await walker.walk(await walker.begin(), never);
  const jobs = await enqueued();
  t.deepEqual(jobs.map(({ key }) => key).sort(), ["t/one/b", "t/one/c", "t/one/e"]);
  for (const { name, priority, key, ...change } of jobs) {
    t.is(name, "designerlink.v1");
    t.true((priority ?? 0) > 1, `${key} has the priority ${priority}`);
    t.deepEqual(change as object, { rev: 0, operation: "UPDATED", changed: [], urgency: "bulk" });
  }
  t.like(await read(), { stale: 3, checked: 5 });
  t.is((await read()).provenAt, undefined);
  const [found] = walker.lines.filter(({ level }) => level === 40);
  t.like(found, { queue: QUEUE, stage: "only", stale: 1, first: "t/one/b", msg: "a walk found stale keys" });
  t.like(walker.lines.at(-1), { level: 30, stale: 3 });
});

test.serial(
  "a walk that is asked to stop ends after its batch and releases its lease, so that any process can continue it",
  async (t) => {
    const one = open({ holder: "one" });
    const begun = await one.begin();
    t.is(await one.walk(begun, () => true), 2);
    const stopped = await read();
    t.true(isFree(stopped));
    t.like(stopped, { cursor: "t/one/b", checked: 2, finishedAt: undefined });
    const two = open({ holder: "two" });
    let batches = 0;
    t.is(
      await two.walk(stopped, async () => {
        batches += 1;
        return batches === 2;
      }),
      3,
    );
    t.deepEqual(two.looked, ["only c d", "only e"]);
    t.is((await read()).finishedAt, undefined, "it stopped after the last batch");
    t.is(await one.walk(await read(), never), 0);
    t.like(await read(), { checked: 5, total: 5 });
  },
);

test.serial("while its tenant's workers are busy, a walk keeps its place, for any process to continue", async (t) => {
  let asked = 0;
  const walker = open({
    isBusy: () => {
      asked += 1;
      return asked > 1;
    },
  });
  t.is(await walker.walk(await walker.begin(), never), 2);
  t.like(await read(), { cursor: "t/one/b", checked: 2, finishedAt: undefined });
  t.true(isFree(await read()));
});

test.serial("stale keys that Redis rejects are searched for again", async (t) => {
  const walker = open({ stages: only("t/one/c"), takesJobs: false });
  await walker.walk(await walker.begin(), never);
  t.like(await read(), { cursor: "t/one/b", checked: 2, stale: 0, finishedAt: undefined });
  const later = open({ stages: only("t/one/c") });
  await later.walk(await read(), never);
  t.like(await read(), { checked: 5, stale: 1 });
  t.deepEqual(
    (await enqueued()).map(({ key }) => key),
    ["t/one/c"],
  );
});

test.serial("a newer walk begins at the previous walk's position and ends there", async (t) => {
  const first = open({ stages: { first: () => [], second: () => [] } });
  let batches = 0;
  await first.walk(await first.begin(), () => {
    batches += 1;
    return batches === 2;
  });
  const second = open({ stages: { first: () => [], second: () => [] } });
  const next = await second.begin();
  t.like(next, { stage: 0, cursor: "t/one/d", began: { stage: 0, cursor: "t/one/d" }, checked: 0 });
  t.is(await second.walk(next, never), 10);
  t.deepEqual(second.looked, ["first e", "second a b", "second c d", "second e", "first a b", "first c d"]);
  const ended = await read();
  t.like(ended, { checked: 10, total: 10, began: undefined, wrapped: undefined });
});

test.serial("a queue's unfinished walks are read together with the walk of a given key", async (t) => {
  const walker = open();
  await walker.begin();
  await walker.walk(await read(), never);
  await walker.begin({ reason: "one more" });
  const collection = walkCollection(own.system.db);
  const walk = await read();
  await collection.insertMany([
    { ...walk, _id: "t/two/walks/renderer" },
    { ...walk, _id: "t/three/walks/renderer", finishedAt: new Date() },
    { ...walk, _id: "t/two/walks/evaluator", queue: "evaluator" },
    { ...walk, _id: "audit", finishedAt: new Date() },
  ]);
  const { walk: audit, unfinished } = await walker.look("audit");
  t.is(audit?._id, "audit");
  t.deepEqual(unfinished.map(({ _id }) => _id).sort(), [KEY, "t/two/walks/renderer"]);
  t.is((await walker.look("nothing")).walk, undefined);
});
