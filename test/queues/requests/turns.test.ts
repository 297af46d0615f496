import test, { type ExecutionContext } from "ava";
import { createAdmitChunks } from "../../../queues/requests/admit-chunks.ts";
import { applyChunks } from "../../../queues/requests/apply-chunks.ts";
import { MAX_CHUNKS_OF_TENANT } from "../../../queues/tenant-windows.ts";
import { type Handlers, type QueueName, rowOf } from "../../../queues/topology.ts";
import { type Chunk, journalCollection } from "../../../records/requests/journal.ts";
import { drawNumbers } from "../../../records/requests/numbers.ts";
import { chunkKey, itemKey, ownerOf } from "../../../schemas/keys.ts";
import type { Change, Topic } from "../../../schemas/topics.ts";
import type { Urgency } from "../../../schemas/urgency.ts";
import { eventually } from "../../harness/eventually.ts";
import { ownSystem } from "../../harness/own.ts";
import { change, itemHandlers, startAWorker } from "../../harness/worker.ts";

const world = ownSystem();
test.beforeEach(async () => {
  await world.system.redis.flushall();
  await journalCollection(world.system.db).deleteMany({});
});

const STORE = "t/busy/s/main";
/** Chunks of the busy store: several times as many as may precede another store's. */
const MANY = 80;
const KEYS_PER_CHUNK = 100;
/**
 * The most work that may precede another owner's bulk chunk: the busy owner's jobs in Redis, and jobs that enter in the
 * meantime.
 */
const MAX_BEFORE_BULK = 24;

/** Journals requests of one chunk each, which counts as 1,000 rows. */
async function journal(
  store: string,
  count: number,
  urgency: Urgency,
  { at = new Date(), validFor = 0 } = {},
): Promise<Chunk[]> {
  const { first } = await drawNumbers(world.system.db, store, count);
  const chunks = Array.from({ length: count }, (_, index): Chunk => {
    const number = first + index;
    return {
      ...{ _id: chunkKey(store, number, 0), store, number, index: 0, chunks: 1, rows: `["${urgency}"]`, size: 1_000 },
      ...{ firstRow: 0, operation: "patch-items", ordered: false, urgency, generation: 0, open: true },
      ...{ drawnAt: at, journaledAt: at, validFor },
    };
  });
  await journalCollection(world.system.db).insertMany(chunks);
  return chunks;
}

const send = async (store: string, count: number, urgency: Urgency): Promise<void> =>
  world.system.enqueueChunks(await journal(store, count, urgency));
const jobsInRedis = () => world.system.publisher.queue("item").getPrioritizedCount();

/** Handlers for all of a queue's topics, and for jobs that never arrive. */
const topicHandlers = <Q extends QueueName>(queue: Q, handle: (changes: Change[]) => Promise<void>): Handlers<Q> =>
  Object.fromEntries([
    ...rowOf(queue).topics.map((topic) => [topic, handle]),
    ...Object.keys(rowOf(queue).jobs).map((job) => [job, async () => []]),
  ]) as unknown as Handlers<Q>;

/** The stages after the item worker, and the topic on which each publishes. */
const further = {
  evaluator: "studiolink.v1",
  link: undefined,
  renderer: "renderedimage.v1",
  merger: "eslimage.v1",
  transmitter: undefined,
} as const satisfies Partial<Record<QueueName, Topic | undefined>>;
const furtherStages = Object.keys(further) as (keyof typeof further)[];

/**
 * Starts an item worker that publishes 100 changes for each chunk, and the workers of the following stages. Returns the
 * stores and urgencies that each stage has handled, in order, with one entry for each chunk.
 */
function startWorkers(t: ExecutionContext, stages: readonly (keyof typeof further)[]) {
  const handled = {
    item: [] as string[],
    evaluator: [],
    link: [],
    renderer: [],
    merger: [],
    transmitter: [],
  } as Record<"item" | keyof typeof further, string[]>;
  const { publisher, redis } = world.system;
  const patchItems = applyChunks<Urgency>(
    world.system,
    async (store, rows, urgency) => {
      const changes = rows.flatMap(({ stamp }) =>
        Array.from({ length: KEYS_PER_CHUNK }, (_, index) => change(itemKey(store, `${stamp}-${index}`), urgency)),
      );
      handled.item.push(...rows.map(() => `${store} ${urgency}`));
      if (stages.length > 0) await publisher.publish("storeitemvalues.v1", changes);
      return rows.map(() => [{ itemId: "", status: "SUCCESS" as const, errors: [] }]);
    },
    () => [],
  );
  startAWorker(t, world, "item", itemHandlers(patchItems));
  for (const queue of stages) {
    const take = async (changes: Change[]) => {
      const topic = further[queue];
      await (topic === undefined ? redis.ping() : publisher.publish(topic, changes));
      const ofFirst = changes.filter(({ key }) => key.endsWith("-0"));
      handled[queue].push(...ofFirst.map(({ key, urgency }) => `${ownerOf(key)} ${urgency}`));
    };
    startAWorker(t, world, queue, topicHandlers(queue, take));
  }
  return handled;
}

for (const [what, other] of [
  ["another tenant", "t/calm/s/main"],
  ["another store of the same tenant", "t/busy/s/calm"],
] as const) {
  test.serial(`${what} waits for only a few of the busy store's many chunks at each stage`, async (t) => {
    await send(STORE, MANY, "bulk");
    await send(other, 1, "bulk");
    await send(other, 1, "interactive");
    const handled = startWorkers(t, furtherStages);
    await eventually("all is handled", async () => Object.values(handled).every(({ length }) => length === MANY + 2));
    for (const [stage, order] of Object.entries(handled)) {
      t.is(order.filter((name) => name === `${STORE} bulk`).length, MANY, `${stage}: each once`);
      const before = (urgency: Urgency) => order.indexOf(`${other} ${urgency}`);
      t.true(before("interactive") <= 1, `${stage}: ${before("interactive")} before the interactive one`);
      t.true(before("bulk") <= MAX_BEFORE_BULK, `${stage}: ${before("bulk")} before the list`);
    }
  });
}

test.serial("Redis holds few of a tenant's chunks, and the next chunk enters when one is done", async (t) => {
  await send(STORE, MANY, "bulk");
  const held = await jobsInRedis();
  t.true(held > 0 && held <= MAX_BEFORE_BULK, `${held} jobs`);
  const handled = startWorkers(t, []);
  await eventually("all are applied", async () => handled.item.length === MANY);
  const open = () => journalCollection(world.system.db).countDocuments({ open: true });
  await eventually("all are settled without a sweep", async () => (await open()) === 0);
});

test.serial(
  "a young chunk enters only after its caller has the response, since it may still become void",
  async (t) => {
    const at = new Date();
    const chunks = await journal(STORE, 1, "bulk", { at });
    // By this clock the chunk is young, however long this test takes.
    const openChunks = { ...world.system.openChunks, databaseTime: async () => at };
    t.is(await createAdmitChunks({ ...world.system, openChunks })("t/busy"), 0);
    t.is(await jobsInRedis(), 0);
    await world.system.enqueueChunks(chunks);
    t.is(await jobsInRedis(), 1);
    await journal(STORE, 1, "bulk", { at: new Date(Date.now() - 60_000) });
    t.is(await world.system.admitChunks("t/busy"), 1, "an old chunk was confirmed or is void");
  },
);

test.serial("open void chunks do not block others, however many there are", async (t) => {
  await journal(STORE, 450, "bulk", { validFor: -1 });
  await send(STORE, 1, "bulk");
  t.is(await jobsInRedis(), 1);
});

test.serial("a tenant's stores take turns if there are more stores than room", async (t) => {
  const stores = Array.from({ length: 2 * MAX_CHUNKS_OF_TENANT }, (_, index) => `t/busy/s/store-${100 + index}`);
  const old = { at: new Date(Date.now() - 60_000) };
  for (const store of stores) await journal(store, 3, "bulk", old);
  await world.system.admitChunks("t/busy");
  const handled = startWorkers(t, []);
  await eventually("all are applied", async () => handled.item.length === 3 * stores.length);
  const firstTurns = handled.item.slice(0, 2 * stores.length).map((name) => name.split(" ")[0]);
  t.is(new Set(firstTurns).size, stores.length, "each store has had a turn before the last stores have their third");
});
