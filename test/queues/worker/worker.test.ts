import test from "ava";
import { type Handlers, topology } from "../../../queues/topology.ts";
import type { RequestChunk } from "../../../schemas/jobs.ts";
import { eventually } from "../../harness/eventually.ts";
import { ownSystem } from "../../harness/own.ts";
import { partOf } from "../../harness/part-of.ts";
import { change, changesJob, itemHandlers, startAWorker } from "../../harness/worker.ts";
import { IMAGES, keys, mergerOf } from "./jobs/a-merger.ts";

const world = ownSystem();
const { failedJob, merger, startMerger, untilEmpty } = mergerOf(world);
test.beforeEach(async () => {
  await world.system.redis.flushall();
});

for (const [what, data, reason] of [
  [
    "whose key is not a string",
    { changes: [{ ...change("a"), key: 5 }] },
    `${IMAGES}: /changes/0/key must be a string, not 5`,
  ],
  ["without a change", { changes: [] }, `${IMAGES}: /changes`],
  ["that is empty", {}, `${IMAGES}: /changes`],
] as const) {
  test.serial(`a job ${what} fails immediately, reports why, and is not handled`, async (t) => {
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
  t.throws(() => startAWorker(t, world, "item", halfOf), { message: /"item" has no handler for .*delete-items/ });
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

test.serial("a job that is to be retried after some milliseconds waits that long", async (t) => {
  let tries = 0;
  const order = { store: "t/demo/s/main", barcode: "A", number: 1, priority: "high", transceivers: [] };
  const data = { ...order, body: { action: "restore-page" } };
  await world.system.publisher.enqueue("flash", [{ name: "display-page", data, urgency: "interactive" }]);
  startAWorker(t, world, "flash", {
    flash: async () => [],
    async "display-page"(orders) {
      tries += 1;
      return new Map(tries === 1 ? orders.map((given) => [given, 60_000]) : []);
    },
    "flashsequence.v1": async () => {},
  });
  const flashes = world.system.publisher.queue("flash");
  const waiting = await eventually("it waits", async () => (await flashes.getDelayed())[0]);
  t.true(waiting.delay > 30_000 && waiting.delay <= 60_000, `${waiting.delay} ms`);
  await waiting.promote();
  await eventually("it is done", async () => (await flashes.getCompletedCount()) === 1);
  t.is(tries, 2);
  t.is(await flashes.getFailedCount(), 0);
});
