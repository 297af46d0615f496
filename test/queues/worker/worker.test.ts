import test, { type ExecutionContext } from "ava";
import { type Handlers, topology } from "../../../queues/topology.ts";
import type { RequestChunk } from "../../../schemas/jobs.ts";
import type { Change } from "../../../schemas/topics.ts";
import { eventually } from "../../harness/eventually.ts";
import { ownSystem } from "../../harness/own.ts";
import { partOf } from "../../harness/part-of.ts";
import { jobsOf } from "../../harness/system.ts";
import { change, changesJob, itemHandlers, startAWorker } from "../../harness/worker.ts";

const world = ownSystem();
test.beforeEach(async () => {
  await world.system.redis.flushall();
});

const IMAGES = "renderedimage.v1";
const merger = () => world.system.publisher.queue("merger");
const keysOf = (changes: readonly Change[]): string[] => changes.map(({ key }) => key);
const keys = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `t/demo/s/main/links/${String(index).padStart(4, "0")}`);

/** Waits for the failed job. */
const failedJob = () =>
  eventually("a job has failed", async () => {
    const [job] = await merger().getFailed();
    return job;
  });
const untilEmpty = () =>
  eventually("every job is done", async () => {
    const counts = await merger().getJobCounts("active", "waiting", "prioritized", "delayed");
    return Object.values(counts).every((count) => count === 0);
  });

/** Starts the merger's worker with a handler that records the keys of each call. */
function startMerger(t: ExecutionContext, handle: (changes: Change[]) => Promise<void> = async () => {}) {
  const calls: string[][] = [];
  startAWorker(t, world, "merger", {
    "ecceslimage.v1": async () => {},
    "pageimage.v1": async (changes: Change[]) => {
      calls.push(keysOf(changes));
    },
    [IMAGES]: async (changes: Change[]) => {
      calls.push(keysOf(changes));
      await handle(changes);
    },
  });
  return calls;
}

for (const [what, data, reason] of [
  [
    "whose key is not a text",
    { changes: [{ ...change("a"), key: 5 }] },
    `${IMAGES}: /changes/0/key must be a string, not 5`,
  ],
  ["without a change", { changes: [] }, `${IMAGES}: /changes`],
  ["that is empty", {}, `${IMAGES}: /changes`],
] as const) {
  test.serial(`a job ${what} fails immediately, says why, and is not handled`, async (t) => {
    const calls = startMerger(t);
    await world.system.publisher.enqueue("merger", [{ name: IMAGES, data, urgency: "bulk" }]);
    const job = await failedJob();
    t.true(job.failedReason.startsWith(reason), job.failedReason);
    t.is(job.attemptsMade, 1);
    await world.system.publisher.enqueue("merger", [changesJob(IMAGES, ["b"])]);
    await untilEmpty();
    t.deepEqual(calls, [["b"]], "the next job is handled");
  });
}

test.serial("a job without a handler fails immediately with its name in the reason", async (t) => {
  startMerger(t);
  await world.system.publisher.enqueue("merger", [{ name: "merge-all", data: {}, urgency: "interactive" }]);
  const job = await failedJob();
  t.is(job.failedReason, 'the queue "merger" has no handler for "merge-all"');
  t.is(job.attemptsMade, 1);
});

test.serial("a worker without one of its handlers refuses to start and names it", (t) => {
  t.throws(() => startAWorker(t, world, "merger", partOf({})), {
    message: /"merger" has no handler for renderedimage/,
  });
  const halfOf = partOf<Handlers<"item">>({ "patch-items": async () => [] });
  t.throws(() => startAWorker(t, world, "item", halfOf), { message: /"item" has no handler for delete-items/ });
});

test.serial("a database outage costs no attempt: the job waits and is handled later", async (t) => {
  const { isUnavailable } = world.system;
  const unreachable = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
  t.true(isUnavailable(unreachable));
  let isAway = true;
  const calls = startMerger(t, async () => {
    if (isAway) throw unreachable;
  });
  await world.system.publisher.enqueue("merger", [changesJob(IMAGES, keys(3), "interactive")]);
  const [waiting] = await eventually("the job waits", async () => {
    const delayed = await merger().getDelayed();
    return delayed.length > 0 && delayed;
  });
  t.is(waiting?.attemptsMade, 0);
  t.is(waiting?.priority, 1, "a waiting job keeps its priority");
  isAway = false;
  await untilEmpty();
  t.deepEqual(calls.at(-1), keys(3));
  t.deepEqual([await merger().getFailedCount(), await merger().getCompletedCount()], [0, 1]);
  t.is(await world.system.db.collection("failure").countDocuments({}), 0, "no key counts as failed");
});

test.serial("a job that its handler returns is retried, and all other jobs are done", async (t) => {
  const chunk = (number: number): RequestChunk => ({
    key: `t/demo/s/main/requests/${number}/0`,
    store: "t/demo/s/main",
    number,
    index: 0,
    ordered: true,
    size: 1,
  });
  const seen: number[] = [];
  const later = new Set([2, 3]);
  const handler = async (chunks: readonly RequestChunk[]) => {
    seen.push(...chunks.map(({ number }) => number));
    return chunks.filter(({ number }) => later.delete(number));
  };
  const jobs = [1, 2, 3].map((number) => ({ name: "patch-items", data: chunk(number), urgency: "bulk" as const }));
  await world.system.publisher.enqueue("item", jobs);
  startAWorker(t, world, "item", itemHandlers(handler));
  await eventually("all is done", async () => (await world.system.publisher.queue("item").getCompletedCount()) === 3);
  t.deepEqual(seen.toSorted(), [1, 2, 2, 3, 3]);
  t.is(await world.system.publisher.queue("item").getFailedCount(), 0);
});

test.serial("many small jobs are handled in batches, each change once", async (t) => {
  const all = keys(600);
  await world.system.publisher.enqueue(
    "merger",
    all.map((key) => changesJob(IMAGES, [key])),
  );
  const calls = startMerger(t, async () => {
    await world.system.redis.ping();
  });
  await untilEmpty();
  t.deepEqual(calls.flat().toSorted(), all);
  t.true(calls.length <= all.length / 4, `${calls.length} calls for ${all.length} jobs`);
});

test.serial("no call receives more changes than the topology allows, however many jobs wait", async (t) => {
  const all = keys(3_000);
  const jobs = Array.from({ length: 60 }, (_, job) => changesJob(IMAGES, all.slice(job * 50, (job + 1) * 50)));
  await world.system.publisher.enqueue("merger", jobs);
  const calls = startMerger(t, async () => {
    await world.system.redis.ping();
  });
  await untilEmpty();
  t.deepEqual(calls.flat().toSorted(), all);
  for (const call of calls) t.true(call.length <= topology.merger.batch, `${call.length} changes`);
});

test.serial("a key in many jobs of a batch is handled once", async (t) => {
  const jobs = Array.from({ length: 50 }, () => changesJob(IMAGES, keys(2)));
  await world.system.publisher.enqueue("merger", jobs);
  const calls = startMerger(t, async () => {
    await world.system.redis.ping();
  });
  await untilEmpty();
  for (const call of calls) t.deepEqual(call.toSorted(), keys(2));
  t.true(calls.length < jobs.length, `${calls.length} calls for ${jobs.length} jobs`);
});

test.serial("interactive work overtakes bulk work that has waited longer", async (t) => {
  const bulk = keys(200);
  await world.system.publisher.enqueue(
    "merger",
    bulk.map((key) => changesJob(IMAGES, [key])),
  );
  await world.system.publisher.enqueue("merger", [changesJob(IMAGES, ["urgent"], "interactive")]);
  const calls = startMerger(t);
  await untilEmpty();
  t.deepEqual(calls[0], ["urgent"]);
  t.is(calls.flat().length, bulk.length + 1);
});

test.serial("interactive work finds a place while any number of bulk jobs hang", async (t) => {
  const { promise: hanging, resolve: end } = Promise.withResolvers<void>();
  const calls = startMerger(t, async (changes) => {
    if (changes.some(({ urgency }) => urgency === "bulk")) await hanging;
  });
  const bulk = keys(100);
  await world.system.publisher.enqueue(
    "merger",
    bulk.map((key) => changesJob(IMAGES, [key])),
  );
  await eventually("bulk jobs have their share", async () => (await merger().getActiveCount()) >= 48);
  await eventually("others are returned", async () => (await merger().getPrioritizedCount()) === 0);
  await world.system.publisher.enqueue("merger", [changesJob(IMAGES, ["urgent"], "interactive")]);
  await eventually("it is handled", async () => calls.flat().includes("urgent"));
  t.true(calls.flat().length < bulk.length);
  end();
  await untilEmpty();
  t.deepEqual([...new Set(calls.flat())].toSorted(), [...bulk, "urgent"].toSorted());
  t.deepEqual(await merger().getFailedCount(), 0);
});

test.serial("hanging bulk jobs of two tenants that fill their share do not block a third tenant", async (t) => {
  const { promise: hanging, resolve: end } = Promise.withResolvers<void>();
  const calls = startMerger(t, () => hanging);
  const busy = keys(80).map((key, index) => key.replace("t/demo", index % 2 === 0 ? "t/a" : "t/b"));
  await world.system.publisher.enqueue(
    "merger",
    busy.map((key) => changesJob(IMAGES, [key])),
  );
  await eventually("their share is taken", async () => (await merger().getActiveCount()) >= 48);
  await eventually("others are returned", async () => (await merger().getPrioritizedCount()) === 0);
  await world.system.publisher.enqueue("merger", [changesJob("pageimage.v1", ["t/c/s/main/items/1"])]);
  await eventually("the third one's is handled", async () => calls.flat().includes("t/c/s/main/items/1"));
  t.true(calls.flat().length < busy.length);
  end();
  await untilEmpty();
  t.is(await merger().getFailedCount(), 0);
});

test.serial("every job has a priority: without one it would overtake all others", async (t) => {
  const { publisher } = world.system;
  const urgencies = ["interactive", "bulk"] as const;
  for (const urgency of urgencies) {
    await publisher.publish("storeitemvalues.v1", [change("t/demo/s/main/items/milk", urgency)]);
    await publisher.enqueue("item", [{ name: "patch-items", data: {}, urgency, id: `one-${urgency}` }]);
  }
  await publisher.publish("link.v2", [change("a", "bulk"), change("b", "interactive"), change("c", "bulk")]);
  const priorities = { interactive: 1, bulk: 10 };
  for (const queue of ["item", "link", "evaluator", "renderer"] as const) {
    const jobs = await jobsOf(world.system, queue);
    t.true(jobs.length >= 2, queue);
    for (const { priority, data, id } of jobs) {
      const urgency = data.changes?.[0]?.urgency ?? id?.replace("one-", "");
      t.is(priority, priorities[urgency as "bulk"], `${queue}: ${JSON.stringify(data)}`);
      t.true((data.changes ?? []).every((published: Change) => published.urgency === urgency));
    }
  }
});

test.serial("a job that goes after others follows those of its urgency and precedes less urgent ones", async (t) => {
  const order = { store: "t/demo/s/main", number: 1, priority: "high" as const, transceivers: [] };
  const body = { duration: 4, color: "GREEN" as const, flashType: 50 as const };
  const jobs = [
    { barcode: "4", urgency: "bulk" as const, goesAfter: true as const },
    { barcode: "3", urgency: "bulk" as const },
    { barcode: "2", urgency: "interactive" as const, goesAfter: true as const },
    { barcode: "1", urgency: "interactive" as const },
  ].map(({ barcode, ...options }) => ({ name: "flash", data: { ...order, barcode, body }, ...options }));
  await world.system.publisher.enqueue("flash", jobs);
  const seen: string[] = [];
  startAWorker(t, world, "flash", {
    async flash(orders) {
      seen.push(...orders.map(({ barcode }) => barcode));
      return [];
    },
    "display-page": async () => [],
  });
  await eventually("all are done", async () => seen.length === jobs.length);
  t.deepEqual(seen, ["1", "2", "3", "4"]);
});

test.serial("a job to be retried after some milliseconds waits that long", async (t) => {
  let tries = 0;
  const order = { store: "t/demo/s/main", barcode: "A", number: 1, priority: "high", transceivers: [] };
  const data = { ...order, body: { action: "restore-page" } };
  await world.system.publisher.enqueue("flash", [{ name: "display-page", data, urgency: "interactive" }]);
  startAWorker(t, world, "flash", {
    flash: async () => [],
    async "display-page"(orders) {
      tries += 1;
      return new Map(tries === 1 ? orders.map((given) => [given, 700]) : []);
    },
  });
  const flashes = world.system.publisher.queue("flash");
  const waiting = await eventually("it waits", async () => (await flashes.getDelayed())[0]);
  t.true(waiting.delay > 600 && waiting.delay <= 700, `${waiting.delay} ms`);
  await eventually("it is done", async () => (await flashes.getCompletedCount()) === 1);
  t.is(tries, 2);
  t.is(await flashes.getFailedCount(), 0);
});
