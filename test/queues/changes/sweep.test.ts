import { randomUUID } from "node:crypto";
import test, { type ExecutionContext } from "ava";
import { pino } from "pino";
import { startSweeper } from "../../../queues/changes/sweep.ts";
import { chunkJobData, chunkJobId } from "../../../queues/requests/chunk-jobs.ts";
import { openLeases } from "../../../records/leases/leases.ts";
import { openOutbox } from "../../../records/outbox/outbox.ts";
import type { JournaledChunk } from "../../../records/requests/chunks.ts";
import { journalCollection } from "../../../records/requests/journal.ts";
import type { RequestChunk } from "../../../schemas/jobs.ts";
import { eventually } from "../../harness/eventually.ts";
import { ownSystem } from "../../harness/own.ts";
import { startASweeper } from "../../harness/sweeper.ts";
import { change, itemHandlers, startAWorker } from "../../harness/worker.ts";

const world = ownSystem();
let store: string;
test.beforeEach(async (t) => {
  store = `t/demo/s/${t.title.replaceAll(/\W/g, "").slice(-40)}`;
  await world.system.redis.flushall();
  await journalCollection(world.system.db).deleteMany({});
  await world.system.db.collection("lease").deleteMany({});
});

const queue = () => world.system.publisher.queue("item");

async function journal(rows = 1): Promise<JournaledChunk> {
  const request = { store, operation: "patch-items", rows: Array.from({ length: rows }, () => ({})), ordered: false };
  const [chunk] = await world.system.accept(request);
  if (chunk === undefined) throw new Error("a request of rows has no chunk");
  return chunk;
}

const stateOf = ({ _id }: JournaledChunk, generation: number) => queue().getJobState(chunkJobId({ _id, generation }));
const generationOf = async ({ _id }: JournaledChunk) => (await world.system.journal.read([_id])).get(_id)?.generation;
const journaledAt = async ({ _id }: JournaledChunk) =>
  (await world.system.journal.read([_id])).get(_id)?.journaledAt.getTime() ?? 0;
const addJob = (chunk: JournaledChunk, options: object = {}) =>
  queue().add("patch-items", chunkJobData(chunk), { jobId: chunkJobId(chunk), priority: 10, ...options });

/** Waits until everything that existed before the call has been swept: each new chunk is enqueued by a later pass. */
async function untilSwept(): Promise<void> {
  for (const _ of [1, 2]) {
    const marker = await journal();
    await eventually("a chunk is enqueued", async () => (await stateOf(marker, 1)) === "prioritized");
  }
}

test.serial("a chunk without a job is enqueued, and an interactive chunk in the next generation", async (t) => {
  const chunk = await journal();
  const bulk = await journal(101);
  startASweeper(t, world);
  await untilSwept();
  const job = await queue().getJob(chunkJobId({ ...chunk, generation: 1 }));
  const bulkJob = await queue().getJob(chunkJobId(bulk));
  t.is(job?.name, "patch-items");
  t.deepEqual(job?.data, chunkJobData(chunk));
  t.deepEqual([job?.priority, bulkJob?.priority], [1, 10]);
  t.deepEqual([await generationOf(chunk), await stateOf(chunk, 0)], [1, "unknown"]);
});

test.serial("a chunk with a waiting or delayed job is not enqueued again", async (t) => {
  const [waiting, delayed] = [await journal(), await journal()];
  await addJob(waiting);
  await addJob(delayed, { delay: 3_600_000 });
  startASweeper(t, world);
  await untilSwept();
  for (const chunk of [waiting, delayed])
    t.deepEqual([await generationOf(chunk), await stateOf(chunk, 1)], [0, "unknown"]);
});

test.serial("a chunk with an active job is not enqueued again", async (t) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const chunk = await journal();
  await addJob(chunk);
  const patchItems = async () => {
    await promise;
    return [];
  };
  startAWorker(t, world, "item", itemHandlers(patchItems));
  t.teardown(resolve);
  await eventually("the job is active", async () => (await stateOf(chunk, 0)) === "active");
  startASweeper(t, world);
  for (const _ of [1, 2]) {
    const marker = await journal();
    await eventually("a chunk is enqueued", async () => (await generationOf(marker)) === 1);
  }
  t.deepEqual([await generationOf(chunk), await stateOf(chunk, 1)], [0, "unknown"]);
});

test.serial("a failed or completed job that BullMQ still stores does not block the next generation", async (t) => {
  const [failed, completed] = [await journal(), await journal()];
  await addJob(failed);
  await (await queue().getJob(chunkJobId(failed)))?.updateData({});
  await addJob(completed);
  const patchItems = async (_: readonly RequestChunk[]) => [];
  const worker = startAWorker(t, world, "item", itemHandlers(patchItems));
  await eventually("both jobs are over", async () => (await queue().getCompletedCount()) === 1);
  await eventually("both jobs are over", async () => (await queue().getFailedCount()) === 1);
  await worker.close();
  t.deepEqual(await Promise.all([failed, completed].map((chunk) => stateOf(chunk, 0))), ["failed", "completed"]);
  startASweeper(t, world);
  await untilSwept();
  t.deepEqual(await Promise.all([failed, completed].map((chunk) => stateOf(chunk, 1))), ["prioritized", "prioritized"]);
});

test.serial("a chunk is enqueued as a new job each time Redis loses it", async (t) => {
  const chunk = await journal();
  startASweeper(t, world);
  for (const generation of [1, 2, 3]) {
    await eventually("it is enqueued", async () => (await stateOf(chunk, generation)) === "prioritized");
    t.is(await generationOf(chunk), generation);
    await world.system.redis.flushall();
  }
});

test.serial("applied and void chunks are skipped", async (t) => {
  const [applied, refused] = [await journal(), await journal()];
  await world.system.journal.settle(new Map([[applied._id, []]]));
  await journalCollection(world.system.db).updateOne({ _id: refused._id }, { $set: { validFor: -1 } });
  startASweeper(t, world);
  await untilSwept();
  for (const chunk of [applied, refused]) t.is(await generationOf(chunk), 0);
});

test.serial("recent changes and chunks are left to their process, and older ones are swept", async (t) => {
  const outbox = openOutbox(world.system.db);
  const chunk = await journal();
  const journaled = await journaledAt(chunk);
  const addToOutbox = async (since: number) => {
    const key = `t/demo/s/main/links/${since}`;
    // Rev 0 counts as written, whatever is stored.
    const changes = [{ ...change(key), rev: 0 }];
    await outbox.add({ _id: randomUUID(), kind: "renderedimage.v1", since: new Date(since), changes });
    return key;
  };
  let time = journaled + 4_900;
  startASweeper(t, world, () => new Date(time));
  const young = await addToOutbox(journaled);
  const published = async () =>
    (await world.system.publisher.queue("merger").getJobs()).map(({ data }) => data.changes[0].key);
  const old: string[] = [];
  for (const pass of [1, 2]) {
    old.push(await addToOutbox(journaled - pass * 10_000));
    await eventually("the old change is published", async () => (await published()).includes(old.at(-1)));
  }
  t.deepEqual((await published()).toSorted(), old.toSorted());
  t.is(await generationOf(chunk), 0);
  time = journaled + 5_100;
  await eventually("the chunk is enqueued", async () => (await stateOf(chunk, 1)) === "prioritized");
  await eventually("the young change is published", async () => (await published()).includes(young));
});

/** A world that counts sweeps by their requests for the lease. */
function countingSweeps() {
  let sweeps = 0;
  const leases = {
    ...world.system.leases,
    hold: (name: string, milliseconds: number) => {
      sweeps += 1;
      return world.system.leases.hold(name, milliseconds);
    },
  };
  const untilSweptAgain = async () => {
    const enough = sweeps + 2;
    await eventually("another sweep starts", async () => sweeps >= enough);
  };
  return { world: { ...world, system: { ...world.system, leases } }, untilSweptAgain };
}

const outboxKeys = async () =>
  (await world.system.db.collection<{ _id: string }>("outbox").find({}).toArray()).map(({ _id }) => _id);
const mergerJobs = () => world.system.publisher.queue("merger").getJobCountByTypes("prioritized");

/** Adds an entry whose write has happened. */
async function addWritten(since = new Date(0)): Promise<string> {
  const _id = randomUUID();
  const changes = [{ ...change(`${store}/links/written`), rev: 0 }];
  await openOutbox(world.system.db).add({ _id, kind: "renderedimage.v1", since, changes });
  return _id;
}

test.serial("an outbox entry stays while its changes cannot be published", async (t) => {
  const { world: counted, untilSweptAgain } = countingSweeps();
  const { redis } = world.system;
  const _id = await addWritten();
  await redis.config("SET", "maxmemory", "1");
  t.teardown(() => redis.config("SET", "maxmemory", "0"));
  startASweeper(t, counted);
  await untilSweptAgain();
  t.deepEqual(await outboxKeys(), [_id]);
  await redis.config("SET", "maxmemory", "0");
  await eventually("the outbox is empty", async () => (await outboxKeys()).length === 0);
  t.is(await mergerJobs(), 1);
});

/**
 * Starts a process's sweeper that learns once that Redis lost its data, and otherwise sweeps only after an hour. Its
 * clock stands still, so the loss is always recent.
 */
function startOnce(t: ExecutionContext, over: Partial<Parameters<typeof startSweeper>[0]> = {}) {
  const [outbox, log] = [openOutbox(world.system.db), pino({ level: "silent" })];
  const sweeper = startSweeper({
    ...{ ...world.system, outbox, log, clock: () => 0, intervalMs: 3_600_000 },
    ...over,
  });
  t.teardown(sweeper.stop);
  sweeper.request();
  return sweeper;
}

test.serial("a chunk too young when Redis lost its job is enqueued soon, not only after an interval", async (t) => {
  const chunk = await journal();
  const journaled = await journaledAt(chunk);
  let looks = 0;
  const databaseTime = async () => {
    looks += 1;
    return new Date(journaled + (looks === 1 ? 0 : 60_000));
  };
  startOnce(t, { openChunks: { ...world.system.openChunks, databaseTime } });
  await eventually("the chunk is enqueued", async () => (await generationOf(chunk)) === 1);
  t.true(looks >= 2);
});

test.serial("after Redis lost its data, a change is swept even if its writer's clock is ahead", async (t) => {
  const present = new Date();
  const _id = await addWritten(new Date(present.getTime() + 5_000));
  startOnce(t, { now: () => present });
  await eventually("it is published", async () => !(await outboxKeys()).includes(_id));
  t.is(await mergerJobs(), 1);
});

test.serial("a process that swept on request leaves the next sweep to any process", async (t) => {
  const first = startOnce(t);
  const _id = await addWritten();
  await eventually("it is swept", async () => !(await outboxKeys()).includes(_id));
  first.stop();
  const sweptAt = Date.now();
  // Long before the end of the lease that the sweep took.
  const another = openLeases({ ...world.system, holder: "another", now: () => new Date(sweptAt) });
  t.true(await eventually("another may sweep", () => another.hold("requested sweep", 1)));
});

test.serial("a sweep on request does not wait for a killed process that was sweeping", async (t) => {
  await openLeases({ ...world.system, holder: "killed" }).hold("sweep", 3_600_000);
  const _id = await addWritten();
  startOnce(t);
  await eventually("it is swept", async () => !(await outboxKeys()).includes(_id));
  t.is(await mergerJobs(), 1);
});
