import test from "ava";
import { MongoClient } from "mongodb";
import type { JobToAdd } from "../../../queues/publish/publisher.ts";
import { createAdmitChunks } from "../../../queues/requests/admit-chunks.ts";
import { createEnqueueLostChunks } from "../../../queues/requests/enqueue-lost-chunks.ts";
import { MAX_CHUNKS_OF_STORE } from "../../../queues/tenant-windows.ts";
import type { QueueName } from "../../../queues/topology.ts";
import { openRowsInFlight } from "../../../records/requests/in-flight.ts";
import { type Chunk, journalCollection, openJournal, VOID } from "../../../records/requests/journal.ts";
import { drawNumbers } from "../../../records/requests/numbers.ts";
import { openOpenChunks } from "../../../records/requests/open-chunks.ts";
import { chunkKey } from "../../../schemas/keys.ts";
import type { Urgency } from "../../../schemas/urgency.ts";
import { eventually } from "../../harness/eventually.ts";
import { ownSystem } from "../../harness/own.ts";
import { startASweeper } from "../../harness/sweeper.ts";
import { storedChunk } from "../../records/requests/stored-chunk.ts";

const GRACE_MS = 5_000;

const world = ownSystem();
test.beforeEach(async () => {
  await world.system.redis.flushall();
  await journalCollection(world.system.db).deleteMany({});
});

/** Journals requests of one chunk each, a millisecond apart; returns their keys in the same order. */
async function journal(store: string, count: number, urgency: Urgency, since: number, open = true): Promise<string[]> {
  const { first } = await drawNumbers(world.system.db, store, count);
  const chunks = Array.from({ length: count }, (_, index): Chunk => {
    const number = first + index;
    return {
      ...{ _id: chunkKey(store, number, 0), store, number, index: 0, chunks: 1, rows: "[]", size: 1, firstRow: 0 },
      ...{ operation: "patch-items", ordered: true, urgency, generation: 0, open },
      ...{ drawnAt: new Date(since + index), journaledAt: new Date(since + index), validFor: 0 },
    };
  });
  await journalCollection(world.system.db).insertMany(chunks);
  return chunks.map(({ _id }) => _id);
}

/** Passes that record what they enqueue; the database's clock stands at `now`. */
function passes({
  now = Date.now(),
  clock = (): number => 0,
  isTaken = (_: readonly JobToAdd[]): boolean => true,
} = {}) {
  const enqueued: string[] = [];
  const publisher = {
    ...world.system.publisher,
    async enqueue(queue: QueueName, jobs: readonly JobToAdd[]) {
      if (!isTaken(jobs)) return false;
      enqueued.push(...jobs.map(({ data }) => (data as { key: string }).key));
      return world.system.publisher.enqueue(queue, jobs);
    },
  };
  const openChunks = openOpenChunks(world.system.db, async () => new Date(now));
  const admitChunks = createAdmitChunks({ ...world.system, publisher, openChunks });
  return { enqueued, pass: createEnqueueLostChunks({ ...world.system, publisher, openChunks, admitChunks, clock }) };
}

test.serial("interactive chunks precede bulk chunks, and older chunks precede younger ones", async (t) => {
  const young = await journal("t/demo/s/a", 3, "bulk", 2_000);
  const old = await journal("t/other/s/b", 3, "bulk", 1_000);
  const last = await journal("t/demo/s/a", 1, "interactive", 4_000);
  const first = await journal("t/demo/s/c", 2, "interactive", 3_000);
  const { enqueued, pass } = passes();
  t.deepEqual(await pass(), { enqueued: 9, isCut: false });
  t.deepEqual(enqueued, [...first, ...last, ...old, ...young]);
  t.deepEqual(await pass(), { enqueued: 0, isCut: false }, "they have jobs now");
});

test.serial("when a pass's time is over, the next pass continues from its end", async (t) => {
  const interactive = await journal("t/demo/s/main", 250, "interactive", 9_000);
  const bulk: string[] = [];
  for (let tenant = 1_000; tenant < 1_250; tenant += 1)
    bulk.push(...(await journal(`t/demo-${tenant}/s/main`, 1, "bulk", tenant)));
  let time = 0;
  const clock = () => {
    time += 6_000;
    return time;
  };
  const { enqueued, pass } = passes({ clock });
  const counts: number[] = [];
  for (let isCut = true; isCut && counts.length < 10; ) {
    const done = await pass();
    counts.push(done.enqueued);
    isCut = done.isCut;
  }
  t.deepEqual(counts, [400, 100], "a page for each urgency");
  t.deepEqual(
    enqueued.filter((key) => bulk.includes(key)),
    bulk,
  );
  t.deepEqual(
    enqueued.filter((key) => interactive.includes(key)),
    interactive,
  );
});

test.serial("a pass with enough time checks every open chunk", async (t) => {
  const interactive = await journal("t/demo/s/main", 250, "interactive", 9_000);
  for (let tenant = 1_000; tenant < 1_250; tenant += 1) await journal(`t/demo-${tenant}/s/main`, 1, "bulk", tenant);
  let time = 1_000_000;
  const clock = () => {
    time += 1;
    return time;
  };
  const { enqueued, pass } = passes({ clock });
  t.deepEqual(await pass(), { enqueued: 500, isCut: false });
  t.deepEqual(enqueued.slice(0, 250), interactive);
});

test.serial("a chunk is left to its process for the grace period, by the database's clock", async (t) => {
  const now = Date.parse("2030-01-01");
  await journal("t/demo/s/main", 1, "interactive", now - GRACE_MS);
  const old = await journal("t/demo/s/main", 1, "interactive", now - GRACE_MS - 1);
  const { enqueued, pass } = passes({ now });
  await pass();
  t.deepEqual(enqueued, old);
});

test.serial(
  "while Redis accepts no bulk work, interactive chunks are enqueued, and bulk chunks by a later pass",
  async (t) => {
    let isFull = true;
    const bulk = await journal("t/demo/s/main", 450, "bulk", 1_000);
    const interactive = await journal("t/demo/s/main", 2, "interactive", 2_000);
    const isTaken = (jobs: readonly JobToAdd[]) => !isFull || jobs.every(({ urgency }) => urgency === "interactive");
    const { enqueued, pass } = passes({ isTaken });
    await pass();
    t.deepEqual(enqueued, interactive);
    isFull = false;
    await pass();
    t.deepEqual(enqueued, [...interactive, ...bulk.slice(0, MAX_CHUNKS_OF_STORE)]);
  },
);

test.serial(
  "a bulk chunk whose job is lost is enqueued again, and a chunk that waits for its turn is not",
  async (t) => {
    const bulk = await journal("t/demo/s/main", 20, "bulk", 1_000);
    const { enqueued, pass } = passes();
    t.deepEqual(await pass(), { enqueued: MAX_CHUNKS_OF_STORE, isCut: false });
    const [job] = await world.system.publisher.queue("item").getPrioritized();
    await job?.remove();
    enqueued.length = 0;
    t.deepEqual(await pass(), { enqueued: 1, isCut: false });
    t.deepEqual(enqueued, [job?.data.key]);
    t.deepEqual(await pass(), { enqueued: 0, isCut: false });
    await world.system.redis.flushall();
    enqueued.length = 0;
    await pass();
    t.deepEqual(
      enqueued,
      bulk.slice(0, MAX_CHUNKS_OF_STORE),
      "Redis is empty and holds no chunk, so the first chunks enter",
    );
  },
);

test.serial("stores without open chunks do not increase a pass's reads", async (t) => {
  const client = new MongoClient(world.databases.mongoUrl, { monitorCommands: true });
  t.teardown(() => client.close());
  const commands: string[] = [];
  client.on("commandStarted", ({ commandName }) => commands.push(commandName));
  const db = client.db(world.databases.database);
  const pass = createEnqueueLostChunks({
    ...world.system,
    openChunks: openOpenChunks(db),
    journal: openJournal(db, world.system.now),
  });
  const read = async () => {
    commands.length = 0;
    await pass();
    return [...commands];
  };
  const before = await read();
  for (let store = 0; store < 20; store += 1) await journal(`t/demo/s/settled-${store}`, 2, "bulk", 1_000, false);
  t.deepEqual(await read(), before);
});

// The last test, because its sweep may still run when the test is over.
test.serial("an interactive chunk that Redis lost does not wait for bulk chunks, however many there are", async (t) => {
  await journal("t/demo/s/bulk", 1_050, "bulk", 1_000);
  const [key = ""] = await journal("t/demo/s/main", 1, "interactive", 10_000);
  startASweeper(t, world);
  const queue = world.system.publisher.queue("item");
  await eventually("it is enqueued", async () => (await queue.getJobState(`${key}~1`)) === "prioritized");
  t.pass();
});

test.serial(
  "void chunks, and chunks of a request whose acceptance was killed, are closed, so that they do not stay in flight",
  async (t) => {
    const now = Date.now();
    const counted = openRowsInFlight(world.system.db, 100);
    const part = (store: string, index: number, age: number, given: Partial<Chunk> = {}) =>
      storedChunk({
        ...{ store, number: 1, index, chunks: 3, size: 1_000, drawnAt: new Date(now - age), validFor: 30_000 },
        ...{ journaledAt: new Date(now - age), ...given },
      });
    const halves = (store: string, age: number) => [0, 1].map((index) => part(store, index, age));
    const late = { journaledAt: new Date(now - 50_000) };
    await journalCollection(world.system.db).insertMany([
      ...halves("t/killed/s/main", 60_001),
      // Another of its chunks arrived later, so the remaining chunks may still arrive.
      ...[part("t/late/s/main", 0, 70_000), part("t/late/s/main", 1, 70_000, late)],
      ...halves("t/young/s/main", 50_000),
      ...[0, 1].map((index) => part("t/refused/s/main", index, 100, index === 0 ? { validFor: VOID } : {})),
    ]);
    await passes({ now }).pass();
    const chunks = async (tenant: string) => (await counted(`t/${tenant}`)).chunks;
    t.deepEqual(await Promise.all(["killed", "late", "young", "refused"].map(chunks)), [0, 2, 2, 0]);
    const closed = await journalCollection(world.system.db).find({ store: "t/killed/s/main" }).toArray();
    t.true(
      closed.every(({ appliedAt, outcomes }) => appliedAt !== undefined && outcomes === "[]"),
      "clean-up finds them",
    );
    await passes({ now: now + 60_000 }).pass();
    t.deepEqual(await Promise.all(["late", "young"].map(chunks)), [0, 0]);
  },
);
