import test from "ava";
import { ownSystem } from "../../harness/own.ts";
import { changesJob } from "../../harness/worker.ts";
import { isFree, never, only, QUEUE, walkersOf } from "./a-walker.ts";

/** The second check of periodic audits. */
const own = ownSystem();
const { clear, enqueued, open, read } = walkersOf(own);

test.beforeEach(clear);

test.serial("a periodic audit enqueues a stale key only if it is still stale after earlier jobs", async (t) => {
  const looks: string[][] = [];
  const stages = {
    only: (asked: readonly string[]) => {
      looks.push([...asked]);
      return asked.filter((key) => key === "t/one/c" || (key === "t/one/b" && looks.length === 1));
    },
  };
  const walker = open({ stages });
  await walker.walk(await walker.begin({ reason: "time", background: true }), never);
  t.deepEqual(walker.looked, ["only a b", "only c d", "only e", "only b c"]);
  t.deepEqual(
    (await enqueued()).map(({ key }) => key),
    ["t/one/c"],
  );
  const walk = await read();
  t.like(walk, { stale: 1, checked: 5, suspects: undefined, suspectedAt: undefined });
  t.true(walk.finishedAt !== undefined);
});

test.serial("the second check waits for earlier jobs while the walk is free", async (t) => {
  await own.system.publisher.enqueue(QUEUE, [changesJob("designerlink.v1", ["t/one/b"])]);
  const walker = open({ stages: only("t/one/b") });
  const before = Date.now();
  t.is(await walker.walk(await walker.begin({ reason: "time", background: true }), never), 5);
  const waiting = await read();
  t.like(waiting, { checked: 5, stale: 0, cursor: "t/one/e", finishedAt: undefined, suspects: ["t/one/b"] });
  t.true(isFree(waiting));
  t.true((waiting.suspectedAt?.getTime() ?? 0) >= before);
  t.is(await walker.walk(waiting, never), 0, "the walk has nothing else to check");
  await own.system.publisher.queue(QUEUE).obliterate({ force: true });
  await walker.walk(await read(), never);
  t.like(await read(), { checked: 5, stale: 1 });
  t.true((await read()).finishedAt !== undefined);
});

test.serial("a second check whose keys Redis rejects is repeated", async (t) => {
  const walker = open({ stages: only("t/one/b"), takesJobs: false });
  await walker.walk(await walker.begin({ reason: "time", background: true }), never);
  t.like(await read(), { stale: 0, suspects: ["t/one/b"], finishedAt: undefined });
  const later = open({ stages: only("t/one/b") });
  await later.walk(await read(), never);
  t.like(await read(), { stale: 1, suspects: undefined });
});

test.serial("a thousand suspects are checked again before more are collected", async (t) => {
  const walker = open({ stages: only("t/one/c") });
  const many = Array.from({ length: 1_000 }, (_, index) => `t/one/old-${index}`);
  const begun = await walker.begin({ reason: "time", background: true });
  await walker.advance(begun, { suspects: many, suspectedAt: new Date(Date.now() - 60_000) });
  await walker.walk(await read(), never);
  t.deepEqual(
    walker.looked.map((text) => text.split(" ").length - 1),
    [1_000, 2, 2, 1, 1],
  );
  t.like(await read(), { stale: 1, checked: 5 });
});
