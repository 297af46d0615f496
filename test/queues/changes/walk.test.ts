import test from "ava";
import { type Logger, pino } from "pino";
import type { Stage } from "../../../queues/changes/stage.ts";
import { createWalker, walkCollection } from "../../../queues/changes/walk.ts";
import type { Stored } from "../../../records/kind.ts";
import { type Walk, walks } from "../../../records/kinds/walk.ts";
import { counters } from "../../harness/database.ts";
import { ownSystem } from "../../harness/own.ts";
import { jobsOf } from "../../harness/system.ts";
import { changesJob } from "../../harness/worker.ts";

/** One walker on a real database, with batches of two keys: what it stores, enqueues and leaves to others. */
const own = ownSystem();
const queue = "renderer";
const KEY = "t/one/walks/renderer";
const SCOPE = "t/one/";
const keys = ["t/one/a", "t/one/b", "t/one/c", "t/one/d", "t/one/e"];
const DAY_MS = 86_400_000;

test.beforeEach(async () => {
  await walkCollection(own.system.db).deleteMany({});
  await own.system.db.collection("outbox").deleteMany({});
  await own.system.redis.flushall();
});

interface Given {
  /** Names of the stages, and what each finds stale. */
  stages?: Record<string, (keys: readonly string[]) => readonly string[]>;
  holder?: string;
  /** Milliseconds from the present time. */
  at?: number;
  takesJobs?: boolean;
  isBusy?: () => boolean;
}

function open(given: Given = {}) {
  const {
    stages = { only: () => [] },
    holder = "this process",
    at = 0,
    takesJobs = true,
    isBusy = () => false,
  } = given;
  const lines: Record<string, unknown>[] = [];
  const log: Logger = pino({ level: "debug" }, { write: (line) => void lines.push(JSON.parse(line)) });
  /** Of each batch: the stage and its keys without the scope. */
  const looked: string[] = [];
  const clock = { ms: 0 };
  const walker = createWalker({
    ...own.system,
    records: {
      ...own.system.records,
      async *scanKeys(_, prefix, after = "") {
        const left = keys.filter((key) => key.startsWith(prefix) && key > after);
        for (let index = 0; index < left.length; index += 2) yield left.slice(index, index + 2);
      },
    },
    publisher: takesJobs ? own.system.publisher : { ...own.system.publisher, enqueue: async () => false },
    bulkJobs: { isBusy: async () => isBusy() },
    queue,
    stages: Object.entries(stages).map(
      ([name, findStale]): Stage => ({
        name,
        over: counters,
        topic: "designerlink.v1",
        async findStale(asked) {
          looked.push([name, ...asked.map((key) => key.slice(SCOPE.length))].join(" "));
          return [...findStale(asked)];
        },
      }),
    ),
    holder,
    now: () => new Date(Date.now() + at),
    clock: () => clock.ms,
    log,
  });
  const begin = async (start: Parameters<typeof walker.begin>[2] = { reason: "a change" }): Promise<Stored<Walk>> => {
    const walk = await walker.begin(KEY, SCOPE, start);
    if (walk === undefined) throw new Error("no walk was begun");
    return walk;
  };
  const beginUnless = (isBegun: (walk: Walk) => boolean) => walker.begin(KEY, SCOPE, { reason: "newest" }, isBegun);
  return { ...walker, begin, beginUnless, looked, clock, lines };
}

async function read(): Promise<Stored<Walk>> {
  const walk = (await own.system.records.read(walks, [KEY])).get(KEY);
  if (walk === undefined) throw new Error("there is no walk");
  return walk;
}
const enqueued = async () =>
  (await jobsOf(own.system, queue)).flatMap(({ name, data, opts }) =>
    (data as { changes: { key: string }[] }).changes.map((change) => ({ name, priority: opts.priority, ...change })),
  );
const never = () => false;
const isFree = ({ holder, heldUntil }: Walk) => holder === "" && heldUntil.getTime() === 0;
const only = (...stale: string[]) => ({
  only: (asked: readonly string[]) => asked.filter((key) => stale.includes(key)),
});

test.serial("a walk begins with its first key, free for any process, and counts from zero", async (t) => {
  const walker = open();
  const before = Date.now();
  const { _id, startedAt, heldUntil, ...walk } = await walker.begin({ reason: "a change", runId: "r", audit: 4 });
  t.is(_id, KEY);
  t.true(startedAt.getTime() >= before && startedAt.getTime() <= Date.now());
  t.is(heldUntil.getTime(), 0);
  t.like(walk, { reason: "a change", runId: "r", audit: 4, queue, scope: SCOPE, epoch: 1, stage: 0, holder: "" });
  t.like(walk, { checked: 0, stale: 0, total: undefined, provenAt: undefined, cursor: undefined, began: undefined });
  t.like(walker.lines[0], { level: 20, queue, scope: SCOPE, reason: "a change", epoch: 1, msg: "a walk begins" });
});

test.serial(
  "a walk replaces the one before, but not one that another process has begun for the same reason",
  async (t) => {
    const walker = open();
    await walker.begin();
    t.is((await walker.begin({ reason: "newer" })).epoch, 2);
    const isBegun = ({ reason }: Walk) => reason === "newer";
    t.is(await walker.beginUnless(isBegun), undefined);
    t.like(await read(), { epoch: 2, reason: "newer" });
    t.is((await walker.beginUnless(({ epoch }) => epoch === 1))?.epoch, 3);
  },
);

test.serial(
  "a walk checks every key of each stage, and ends with its counts, as proven where none is stale",
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
      epoch: 1,
      scope: SCOPE,
      queue,
      msg: "a walk has ended",
    });
    t.is(await walker.walk(walk, never), 0, "one that has ended is not walked");
  },
);

test.serial("the next walk keeps the total and when all was right, also where it finds stale keys", async (t) => {
  const first = open();
  const begun = await first.begin();
  await first.walk(begun, never);
  const second = open({ stages: only("t/one/b") });
  const next = await second.begin();
  t.like(next, { checked: 0, stale: 0, total: 5, provenAt: begun.startedAt, epoch: 2 });
  await second.walk(next, never);
  t.like(await read(), { stale: 1, total: 5, provenAt: begun.startedAt });
});

test.serial("stale keys become changes without fields, of the stage's topic, behind live work", async (t) => {
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
  t.like(found, { queue, stage: "only", stale: 1, first: "t/one/b", msg: "a walk found stale keys" });
  t.like(walker.lines.at(-1), { level: 30, stale: 3 });
});

test.serial(
  "a walk that is asked to stop does so behind a batch, free, and any process goes on from there",
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
    t.is((await read()).finishedAt, undefined, "it stopped behind the last batch");
    t.is(await one.walk(await read(), never), 0);
    t.like(await read(), { checked: 5, total: 5 });
  },
);

test.serial("during a batch the walk is held, for six seconds by the clock of its process", async (t) => {
  const held: Stored<Walk>[] = [];
  const walker = open();
  await walker.walk(await walker.begin(), async () => {
    held.push(await read());
    return false;
  });
  t.is(held.length, 3);
  for (const walk of held) {
    t.is(walk.holder, "this process");
    const left = walk.heldUntil.getTime() - Date.now();
    t.true(left > 0 && left <= 6_000, `${left} ms`);
  }
});

test.serial("a walk of a tenant whose workers have enough to do waits, free, from where it is", async (t) => {
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

test.serial("stale keys that Redis does not take are looked for again", async (t) => {
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

test.serial("a walk is left to the process that holds it until its lease is over", async (t) => {
  const one = open({ holder: "one" });
  const begun = await one.begin();
  const held = await one.advance(begun, { cursor: "t/one/b" });
  t.like(held, { holder: "one", cursor: "t/one/b", epoch: 1 });
  const two = open({ holder: "two" });
  t.false(two.isFree(await read()));
  t.is(await two.advance(await read(), { cursor: "t/one/e" }), undefined);
  t.is(await two.walk(await read(), never), 0);
  t.deepEqual(two.looked, []);
  t.true(one.isFree(await read()), "its holder goes on");
  const ahead = open({ holder: "two", at: 6_500 });
  t.true(ahead.isFree(await read()));
  t.is(await ahead.walk(await read(), never), 3);
});

test.serial("a lease that is not renewed for six seconds is over, whatever the clock of its holder said", async (t) => {
  const ahead = open({ holder: "ahead", at: DAY_MS });
  await ahead.advance(await ahead.begin(), {});
  const walker = open();
  const walk = await read();
  t.false(walker.isFree(walk));
  walker.clock.ms = 5_999;
  t.false(walker.isFree(walk));
  walker.clock.ms = 6_000;
  t.true(walker.isFree(walk));
  await ahead.advance(walk, {});
  t.false(walker.isFree(await read()), "it was renewed");
});

test.serial("a step of a walk that a newer one has replaced, or that has ended, is not stored", async (t) => {
  const walker = open();
  const old = await walker.begin();
  await walker.begin({ reason: "a newer change" });
  t.is(await walker.advance(old, { checked: 99 }), undefined);
  t.is(await walker.walk(old, never), 0);
  await walker.walk(await read(), never);
  t.is(await walker.advance(await read(), { checked: 99 }), undefined);
  t.like(await read(), { checked: 5, reason: "a newer change" });
});

test.serial("a newer walk begins where the one before is, and ends there", async (t) => {
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

test.serial(
  "an audit that begins by time enqueues a stale key only where it is still stale when others are done",
  async (t) => {
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
  },
);

test.serial("the second look waits for what was enqueued before, while the walk is free", async (t) => {
  await own.system.publisher.enqueue(queue, [changesJob("designerlink.v1", ["t/one/b"])]);
  const walker = open({ stages: only("t/one/b") });
  const before = Date.now();
  t.is(await walker.walk(await walker.begin({ reason: "time", background: true }), never), 5);
  const waiting = await read();
  t.like(waiting, { checked: 5, stale: 0, cursor: "t/one/e", finishedAt: undefined, suspects: ["t/one/b"] });
  t.true(isFree(waiting));
  t.true((waiting.suspectedAt?.getTime() ?? 0) >= before);
  t.is(await walker.walk(waiting, never), 0, "it has nothing else to check");
  await own.system.publisher.queue(queue).obliterate({ force: true });
  await walker.walk(await read(), never);
  t.like(await read(), { checked: 5, stale: 1 });
  t.true((await read()).finishedAt !== undefined);
});

test.serial("a second look whose keys Redis does not take is taken again", async (t) => {
  const walker = open({ stages: only("t/one/b"), takesJobs: false });
  await walker.walk(await walker.begin({ reason: "time", background: true }), never);
  t.like(await read(), { stale: 0, suspects: ["t/one/b"], finishedAt: undefined });
  const later = open({ stages: only("t/one/b") });
  await later.walk(await read(), never);
  t.like(await read(), { stale: 1, suspects: undefined });
});

test.serial("a thousand suspects are looked at again before more are collected", async (t) => {
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

test.serial("unfinished walks of a queue are looked for together with one by its key", async (t) => {
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
