import test, { type ExecutionContext } from "ava";
import type { JobToAdd } from "../../../queues/publish/publisher.ts";
import { type Handlers, type JobHandler, type QueueName, topology } from "../../../queues/topology.ts";
import type { Attributes } from "../../../queues/tracing/tracing.ts";
import type { startWorker } from "../../../queues/worker/worker.ts";
import { openLog } from "../../../runtime/log.ts";
import type { Cause } from "../../../schemas/cause.ts";
import type { RequestChunk } from "../../../schemas/jobs.ts";
import type { Change } from "../../../schemas/topics.ts";
import { eventually } from "../../harness/eventually.ts";
import { ownSystem } from "../../harness/own.ts";
import { partOf, unchecked } from "../../harness/part-of.ts";
import { change, changesJob, itemHandlers, startAWorker } from "../../harness/worker.ts";

// The counts, logs and notifications about handled jobs, and the wait of a job for its next try.

const world = ownSystem();
test.beforeEach(async () => {
  await world.system.redis.flushall();
});

const IMAGES = "renderedimage.v1";
const PATCH = "patch-items";
const unreachable = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
const queue = (name: QueueName) => world.system.publisher.queue(name);

const chunkJob = (number: number, urgency: "bulk" | "interactive" = "bulk", tenant = "demo"): JobToAdd => ({
  name: PATCH,
  data: {
    key: `t/${tenant}/s/main/requests/${number}/0`,
    store: `t/${tenant}/s/main`,
    number,
    index: 0,
    ordered: true,
    size: 1,
  },
  urgency,
});

type Given = Partial<Parameters<typeof startWorker>[2]>;

/** The counts, logs, traces and notifications of a worker. */
function observed() {
  const counts: [string, unknown, number][] = [];
  const lines: Record<string, unknown>[] = [];
  const steps: [string, readonly Cause[], Attributes][] = [];
  const left: Record<string, unknown>[][] = [];
  const leftRows: Record<string, unknown>[][] = [];
  const admitChunks: string[] = [];
  const errors: string[] = [];
  const given: Given = {
    metrics: { count: (name, labels, by = 1) => void counts.push([name, labels, by]) },
    log: openLog("item", "trace", { write: (line) => void lines.push(JSON.parse(line)) }),
    step: async (name, causes, attributes, work) => {
      steps.push([name, causes, attributes]);
      return await work();
    },
    bulkJobs: {
      async leave(jobs) {
        left.push(jobs.map((job) => ({ ...job })));
        return ["demo"];
      },
    },
    interactiveRows: { leave: async (jobs) => void leftRows.push(jobs.map((job) => ({ ...job }))) },
    admitChunks: async (tenant) => void admitChunks.push(tenant),
    onRedisError: ({ message }) => void errors.push(message),
  };
  return { counts, lines, steps, left, leftRows, admitChunks, errors, given };
}

const startItem = (t: ExecutionContext, handler: JobHandler<RequestChunk>, given: Given) =>
  startAWorker(t, world, "item", itemHandlers(handler), given);

const startMerger = (t: ExecutionContext, handler: (changes: Change[]) => Promise<void>, given: Given) =>
  startAWorker(
    t,
    world,
    "merger",
    { "ecceslimage.v1": async () => {}, "pageimage.v1": async () => {}, [IMAGES]: handler },
    given,
  );

const completed = (name: QueueName, jobs: number) =>
  eventually(`${jobs} are done`, async () => (await queue(name).getCompletedCount()) === jobs);

test.serial("a finished job is counted, leaves its tenant's counts and admits others", async (t) => {
  const { given, counts, left, leftRows, admitChunks, lines } = observed();
  const worker = startItem(t, async () => [], given);
  t.is(worker.progress("item"), 0);
  await world.system.publisher.enqueue("item", [chunkJob(1, "interactive"), { ...chunkJob(2), id: "second" }]);
  await eventually("the tenant's next are admitted", async () => admitChunks.length > 0);
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

test.serial("a job that fails temporarily stays its tenant's and is logged with its request", async (t) => {
  const { given, counts, left, admitChunks, lines } = observed();
  let tries = 0;
  startItem(
    t,
    async () => {
      tries += 1;
      if (tries === 1) throw new Error("a fault of ours");
      return [];
    },
    given,
  );
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
  await eventually("it is done", async () => admitChunks.length > 0);
  t.is(left.flat().length, 1);
});

test.serial("a job that fails for good leaves its tenant's count and is logged as an error", async (t) => {
  const { given, left, lines, admitChunks } = observed();
  startMerger(t, async () => {}, given);
  const changes = [{ ...change("t/demo/s/main/links/1"), rev: "x", cause: { request: 3, call: "till" } }];
  await world.system.publisher.enqueue("merger", [{ name: IMAGES, data: { changes }, urgency: "bulk" }]);
  await eventually("it has left", async () => admitChunks.length > 0);
  t.is(left.flat().length, 1);
  t.is(lines.length, 1);
  t.like(lines[0], { level: 50, msg: "a job failed", isFinal: true, requestId: 3, xRequestId: "till" });
});

test.serial("a failed job of changes without causes names none", async (t) => {
  const { given, lines } = observed();
  startMerger(t, async () => {}, given);
  await world.system.publisher.enqueue("merger", [{ name: IMAGES, data: {}, urgency: "interactive" }]);
  await eventually("it has failed", async () => lines.length > 0);
  t.is("requestId" in (lines[0] ?? {}), false);
  t.is("xRequestId" in (lines[0] ?? {}), false);
});

test.serial("a finished bulk job that cannot be recorded in Redis is only an error of Redis", async (t) => {
  for (const [message, parts] of [
    ["no leave", { bulkJobs: { leave: () => Promise.reject(new Error("no leave")) } }],
    ["no chunks admitted", { admitChunks: () => Promise.reject(new Error("no chunks admitted")) }],
  ] as const) {
    const { given, errors, lines } = observed();
    const worker = startItem(t, async () => [], { ...given, ...parts });
    await world.system.publisher.enqueue("item", [chunkJob(1)]);
    await eventually("it is heard of", async () => errors.includes(message));
    await worker.close();
    t.deepEqual(lines, []);
  }
});

test.serial("an error of the queue itself is an error of Redis", async (t) => {
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
  await eventually("the job is missed", async () =>
    errors.some((message) => message.startsWith("Missing key for job")),
  );
  t.pass();
});

test.serial("a database outage is a warning with the waiting requests, and counts as no failure", async (t) => {
  const { given, lines, counts, left } = observed();
  const worker = startItem(t, () => Promise.reject(unreachable), given);
  await world.system.publisher.enqueue("item", [chunkJob(5)]);
  await eventually("it is said", async () => lines.length > 0);
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

test.serial("keys that fail alone are counted and logged, each with its request", async (t) => {
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

test.serial("a deriving queue handles a key once, and an observing queue receives each of its changes", async (t) => {
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
});

/** The wait of a job that is delayed, in milliseconds from `now`. */
async function waitOf(name: QueueName, now: Date): Promise<number> {
  const [, score] = await eventually("it waits", async () => {
    const delayed = await world.system.redis.zrange(queue(name).toKey("delayed"), "0", "-1", "WITHSCORES");
    return delayed.length > 0 && delayed;
  });
  // BullMQ keeps the number of a job's turn in the lowest 12 bits.
  return Math.floor(Number(score) / 4_096) - now.getTime();
}

/** Far enough in the future that no job is due while the test runs. */
const now = new Date("2200-01-01T00:00:00Z");

test.serial("a returned job waits twice as long at each start, up to a second", async (t) => {
  startItem(t, async (chunks) => [...chunks], { now: () => now, random: () => 0 });
  await world.system.publisher.enqueue("item", [{ ...chunkJob(1), id: "first" }]);
  const waits: number[] = [];
  for (let start = 0; start < 7; start += 1) {
    waits.push(await waitOf("item", now));
    const job = await queue("item").getJob("first");
    t.is(job?.attemptsMade, 0, "it costs no attempt");
    await job?.promote();
    await eventually(
      "it is started again",
      async () => (await queue("item").getJob("first"))?.attemptsStarted === start + 2,
    );
  }
  t.deepEqual(waits, [50, 100, 200, 400, 800, 1_000, 1_000]);
});

test.serial(
  "waits vary by up to a half, so that jobs that wait for the same cause do not return together",
  async (t) => {
    startItem(t, () => Promise.reject(unreachable), { now: () => now, random: () => 0.5 });
    await world.system.publisher.enqueue("item", [chunkJob(1)]);
    t.is(await waitOf("item", now), 2_500);
  },
);

test.serial("the last hundred finished jobs and a week of failed ones are kept", async (t) => {
  const worker = startMerger(t, async () => {}, {});
  const jobs = Array.from({ length: 130 }, (_, index) => changesJob(IMAGES, [`t/demo/s/main/links/${index}`]));
  await world.system.publisher.enqueue("merger", jobs);
  await eventually("all are handled", async () => worker.progress("merger") === jobs.length);
  await completed("merger", 100);
  const failed = queue("merger").toKey("failed");
  await world.system.redis.zadd(failed, Date.now() - 8 * 86_400_000, "of-last-week");
  const faulty: JobToAdd = { name: IMAGES, data: {}, urgency: "bulk" };
  await world.system.publisher.enqueue("merger", [faulty, faulty]);
  await eventually("both have failed", async () => {
    const kept = await world.system.redis.zrange(failed, "0", "-1");
    return kept.length === 2 && !kept.includes("of-last-week");
  });
  t.pass();
});

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
