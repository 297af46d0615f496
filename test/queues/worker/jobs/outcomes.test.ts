import test from "ava";
import { type Handlers, topology } from "../../../../queues/topology.ts";
import type { Change } from "../../../../schemas/topics.ts";
import { eventually } from "../../../harness/eventually.ts";
import { ownSystem } from "../../../harness/own.ts";
import { partOf, unchecked } from "../../../harness/part-of.ts";
import { later } from "../../../harness/system.ts";
import { change, changesJob, startAWorker } from "../../../harness/worker.ts";
import { chunkJob, IMAGES, observed, PATCH, unreachable, workersOf } from "./an-observed-worker.ts";

// The counts, logs and notifications about handled jobs.

const world = ownSystem();
const { completed, queue, startItem, startMerger } = workersOf(world);
test.beforeEach(async () => {
  await world.system.redis.flushall();
});

test.serial("a finished job is counted, leaves its tenant's counts and admits other chunks", async (t) => {
  const { given, counts, left, leftRows, admitChunks, lines } = observed();
  const worker = startItem(t, async () => [], given);
  t.is(worker.progress("item"), 0);
  await world.system.publisher.enqueue("item", [chunkJob(1, "interactive"), { ...chunkJob(2), id: "second" }]);
  await eventually("the tenant's next chunks are admitted", async () => admitChunks.length > 0);
  await completed("item", 2);
  await worker.close();
  t.deepEqual(counts, [
    ["shelfwire_jobs_completed_total", { queue: "item" }, 1],
    ["shelfwire_jobs_completed_total", { queue: "item" }, 1],
  ]);
  const all = left.flat();
  t.deepEqual(
    all.find(({ id }) => id === "second"),
    { queue: "item", id: "second", urgency: "bulk", data: chunkJob(2).data },
  );
  t.deepEqual(all.map(({ urgency }) => urgency).toSorted(), ["bulk", "interactive"]);
  t.deepEqual(
    leftRows.flat().map(({ id }) => id),
    all.map(({ id }) => id),
  );
  t.deepEqual(new Set(admitChunks), new Set(["demo"]));
  t.deepEqual(lines, []);
  t.is(worker.progress("item"), 2);
});

test.serial("a job that fails temporarily still counts for its tenant and is logged with its request", async (t) => {
  const { given, counts, left, admitChunks, lines } = observed();
  let tries = 0;
  // The retry waits until the test has checked the first failure.
  const looked = Promise.withResolvers<void>();
  startItem(
    t,
    async () => {
      tries += 1;
      if (tries === 1) throw new Error("a fault of ours");
      await looked.promise;
      return [];
    },
    given,
  );
  t.teardown(looked.resolve);
  await world.system.publisher.enqueue("item", [{ ...chunkJob(7), id: "seventh" }]);
  await eventually("it has failed once", async () => lines.length > 0);
  t.deepEqual(counts, [["shelfwire_jobs_failed_total", { queue: "item" }, 1]]);
  const { level, msg, job, id, isFinal, requestId, error } = lines[0] ?? {};
  t.deepEqual(
    { level, msg, job, id, isFinal, requestId },
    {
      level: 40,
      msg: "a job failed",
      job: PATCH,
      id: "seventh",
      isFinal: false,
      requestId: 7,
    },
  );
  t.like(error, { message: "a fault of ours" });
  t.deepEqual(left, []);
  looked.resolve();
  await eventually("it is done", async () => admitChunks.length > 0);
  t.is(left.flat().length, 1);
});

test.serial("a job that fails permanently leaves its tenant's count and is logged as an error", async (t) => {
  const { given, left, lines, admitChunks } = observed();
  startMerger(t, async () => {}, given);
  const changes = [{ ...change("t/demo/s/main/links/1"), rev: "x", cause: { request: 3, call: "till" } }];
  await world.system.publisher.enqueue("merger", [{ name: IMAGES, data: { changes }, urgency: "bulk" }]);
  await eventually("it has left", async () => admitChunks.length > 0);
  t.is(left.flat().length, 1);
  t.is(lines.length, 1);
  t.like(lines[0], { level: 50, msg: "a job failed", isFinal: true, requestId: 3, xRequestId: "till" });
});

test.serial("a failed job whose changes have no causes names no request", async (t) => {
  const { given, lines } = observed();
  startMerger(t, async () => {}, given);
  await world.system.publisher.enqueue("merger", [{ name: IMAGES, data: {}, urgency: "interactive" }]);
  await eventually("it has failed", async () => lines.length > 0);
  t.is("requestId" in (lines[0] ?? {}), false);
  t.is("xRequestId" in (lines[0] ?? {}), false);
});

test.serial("if a finished bulk job cannot be recorded in Redis, only a Redis error is reported", async (t) => {
  for (const [message, parts] of [
    ["no leave", { bulkJobs: { leave: () => Promise.reject(new Error("no leave")) } }],
    ["no chunks admitted", { admitChunks: () => Promise.reject(new Error("no chunks admitted")) }],
  ] as const) {
    const { given, errors, lines } = observed();
    const worker = startItem(t, async () => [], { ...given, ...parts });
    await world.system.publisher.enqueue("item", [chunkJob(1)]);
    await eventually("the error is reported", async () => errors.includes(message));
    await worker.close();
    t.deepEqual(lines, []);
  }
});

test.serial("an error of the queue itself is reported as a Redis error", async (t) => {
  const { given, errors } = observed();
  startItem(
    t,
    async () => {
      await world.system.redis.flushall();
      return [];
    },
    given,
  );
  await world.system.publisher.enqueue("item", [chunkJob(1, "interactive")]);
  await eventually("the missing job is reported", async () =>
    errors.some((message) => message.startsWith("Missing key for job")),
  );
  t.pass();
});

test.serial("a database outage is logged as a warning with the waiting request, and is not a failure", async (t) => {
  const { given, lines, counts, left } = observed();
  // By this clock the job waits until the test has ended.
  const worker = startItem(t, () => Promise.reject(unreachable), { ...given, now: later(600_000) });
  await world.system.publisher.enqueue("item", [chunkJob(5)]);
  await eventually("it is logged", async () => lines.length > 0);
  t.like(lines[0], {
    level: 40,
    msg: "the database is unavailable; jobs wait",
    job: PATCH,
    requestId: 5,
  });
  t.regex(
    String(lines[0]?.error),
    /^MONGODB_URL: MongoDB at \S+ cannot be reached: connect ECONNREFUSED\. Start it, or correct/,
  );
  await eventually("it waits", async () => (await queue("item").getDelayedCount()) === 1);
  t.is(worker.progress("item"), 1, "it was postponed");
  await worker.close();
  t.deepEqual([counts, left], [[], []]);
});

test.serial("keys that fail individually are counted and logged, each with its request", async (t) => {
  const { given, lines, counts, steps } = observed();
  startMerger(
    t,
    async (changes) => {
      const bad = changes.find(({ key }) => !key.endsWith("/0"));
      if (bad) throw new Error(`cannot draw ${bad.key}`);
    },
    given,
  );
  const keyOf = (number: number) => `t/demo/s/main/links/${number}`;
  const changes = [0, 1, 2].map((number) => ({ ...change(keyOf(number)), cause: { request: number + 10 } }));
  await world.system.publisher.enqueue("merger", [{ name: IMAGES, data: { changes }, urgency: "bulk" }]);
  await completed("merger", 1);
  t.deepEqual(
    lines.map(({ level, msg, topic, key, requestId }) => ({ level, msg, topic, key, requestId })),
    [1, 2].map((number) => ({
      level: 50,
      msg: "a key could not be processed",
      topic: IMAGES,
      key: keyOf(number),
      requestId: number + 10,
    })),
  );
  t.deepEqual(counts[0], ["shelfwire_keys_failed_total", { queue: "merger" }, 2]);
  t.deepEqual(steps, [["merge", [10, 11, 12].map((request) => ({ request })), { topic: IMAGES, changes: 3 }]]);
  t.is(await world.system.db.collection("failure").countDocuments({}), 2);
});

test.serial("a batch without failures counts none", async (t) => {
  const { given, counts } = observed();
  const { handle } = startMerger(t, async () => {}, given);
  t.deepEqual(await handle(IMAGES, [change("t/demo/s/main/links/1")]), { failed: [], behind: new Map() });
  t.deepEqual(counts, []);
});

test.serial(
  "a deriving queue handles a key once, and an observing queue receives each of the key's changes",
  async (t) => {
    const twice = [change("t/demo/s/main/links/1"), { ...change("t/demo/s/main/links/1"), rev: 2 }];
    const merged: number[] = [];
    const merger = startMerger(t, async (changes) => void merged.push(...changes.map(({ rev }) => rev)), {});
    await merger.handle(IMAGES, twice);
    t.deepEqual(merged, [2]);
    const seen: number[] = [];
    const handlers: Partial<Handlers<"notifier">> = Object.fromEntries(
      topology.notifier.topics.map((topic) => [
        topic,
        async (changes: readonly Change[]) => void seen.push(...changes.map(({ rev }) => rev)),
      ]),
    );
    const { given, steps } = observed();
    const notifier = startAWorker(t, world, "notifier", partOf(handlers), given);
    await notifier.handle(IMAGES, twice);
    t.deepEqual(seen, [1, 2]);
    t.deepEqual(steps, [["notify", [], { topic: IMAGES, changes: 2 }]]);
  },
);

test.serial("each job of a traced call is a span of its worker", async (t) => {
  const spans: string[] = [];
  const span = {
    setAttributes() {},
    setAttribute() {},
    setSpanOnContext: () => ({}),
    addEvent() {},
    recordException() {},
    end() {},
  };
  const jobs = {
    tracer: {
      startSpan(name: string) {
        spans.push(name);
        return span;
      },
    },
    contextManager: {
      with: (_: unknown, work: () => unknown) => work(),
      active: () => ({}),
      getMetadata: () => "",
      fromMetadata: () => ({}),
    },
  };
  startMerger(t, async () => {}, { tracing: { jobs: unchecked(jobs) } });
  await world.system.publisher.enqueue("merger", [changesJob(IMAGES, ["t/demo/s/main/links/1"])]);
  await completed("merger", 1);
  t.true(
    spans.some((name) => name.startsWith("process")),
    spans.join(),
  );
});
