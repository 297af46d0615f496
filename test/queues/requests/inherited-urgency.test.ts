import test, { type ExecutionContext } from "ava";
import type { CountedJob } from "../../../queues/publish/bulk-jobs.ts";
import { applyChunks } from "../../../queues/requests/apply-chunks.ts";
import { MAX_CHANGE_JOBS, MAX_CHANGE_KEYS } from "../../../queues/tenant-windows.ts";
import { type Chunk, journalCollection } from "../../../records/requests/journal.ts";
import { drawNumbers } from "../../../records/requests/numbers.ts";
import { chunkKey } from "../../../schemas/keys.ts";
import type { Urgency } from "../../../schemas/urgency.ts";
import { eventually } from "../../harness/eventually.ts";
import { ownSystem } from "../../harness/own.ts";
import { change, itemHandlers, startAWorker } from "../../harness/worker.ts";

/** An ordered request starts when its store's requests with smaller numbers are settled, so these inherit its urgency. */
const world = ownSystem();
test.beforeEach(async () => {
  await world.system.redis.flushall();
  await journalCollection(world.system.db).deleteMany({});
});

const LISTS = 3;

/** Journals ordered requests of one chunk each and enqueues as many as may enter. */
async function send(store: string, count: number, urgency: Urgency): Promise<void> {
  const { first } = await drawNumbers(world.system.db, store, count);
  const at = new Date();
  const chunks = Array.from({ length: count }, (_, index): Chunk => {
    const number = first + index;
    return {
      ...{ _id: chunkKey(store, number, 0), store, number, index: 0, chunks: 1, rows: `["${number}"]`, size: 1_000 },
      ...{ firstRow: 0, operation: "delete-items", ordered: true, urgency, generation: 0, open: true },
      ...{ drawnAt: at, journaledAt: at, validFor: 0 },
    };
  });
  await journalCollection(world.system.db).insertMany(chunks);
  await world.system.enqueueChunks(chunks);
}

/** Counts so many jobs for the tenant's workers that none of the tenant's bulk chunks enters. These jobs never end. */
const fillWorkers = (): Promise<void> =>
  world.system.bulkJobs.enter(
    Array.from({ length: MAX_CHANGE_JOBS }, (_, index): CountedJob => {
      const changes = Array(MAX_CHANGE_KEYS / MAX_CHANGE_JOBS).fill(change("t/busy/s/any/links/a"));
      return { queue: "renderer", id: `${index}`, urgency: "bulk", data: { changes } };
    }),
  );

/** Starts an item worker; returns the stores and urgencies of what it applies, in order. */
function startWorker(t: ExecutionContext): string[] {
  const applied: string[] = [];
  const deleteItems = applyChunks<string>(
    world.system,
    async (store, rows, urgency) => {
      applied.push(...rows.map(() => `${store} ${urgency}`));
      return rows.map(() => [{ itemId: "", status: "SUCCESS" as const, errors: [] }]);
    },
    () => [],
  );
  startAWorker(t, world, "item", itemHandlers(deleteItems));
  return applied;
}

const inRedis = () => world.system.publisher.queue("item").getPrioritizedCount();

test.serial("price lists that block an interactive request enter Redis, and are still applied as bulk", async (t) => {
  const store = "t/busy/s/first";
  await fillWorkers();
  await send(store, LISTS, "bulk");
  t.is(await inRedis(), 0, "the workers have enough jobs");
  const applied = startWorker(t);
  await send(store, 1, "interactive");
  await eventually("all are applied", async () => applied.length === LISTS + 1);
  t.deepEqual(applied, [...Array(LISTS).fill(`${store} bulk`), `${store} interactive`]);
});

test.serial("lists of other stores and lists for which no request waits keep their places", async (t) => {
  const store = "t/busy/s/second";
  const [later, other] = [store, "t/busy/s/other"];
  await fillWorkers();
  await send(other, 1, "bulk");
  await send(later, 1, "interactive");
  await send(later, 1, "bulk");
  const applied = startWorker(t);
  await eventually("the interactive request is applied", async () => applied.length === 1);
  await world.system.admitChunks("t/busy");
  t.is(await inRedis(), 0);
  t.deepEqual(applied, [`${later} interactive`]);
});

test.serial("a list in Redis that an interactive request awaits precedes another store's lists", async (t) => {
  const store = "t/busy/s/third";
  const other = "t/other/s/main";
  await send(other, 8, "bulk");
  await send(store, LISTS, "bulk");
  await send(store, 1, "interactive");
  await world.system.promoteNext(store);
  const queue = world.system.publisher.queue("item");
  const jobs = await queue.getJobs(["prioritized"], 0, -1, true);
  const prioritiesOf = (store: string) => jobs.filter(({ data }) => data.store === store).map((job) => job.priority);
  t.deepEqual(
    prioritiesOf(store).sort(),
    ["1", "1", "10", "10"].map(Number),
    "the next list, and the requests that wait",
  );
  t.deepEqual(new Set(prioritiesOf(other)), new Set([10]));
  const applied = startWorker(t);
  await eventually("all are applied", async () => applied.length === 8 + LISTS + 1);
});
