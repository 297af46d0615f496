import test from "ava";
import { createPublisher } from "../../../queues/publish/publisher.ts";
import { partitionsOfQueue, type QueuePartition } from "../../../queues/queue-partitions.ts";
import { startPartitionWorkers } from "../../../queues/worker/partition-workers.ts";
import { storeKey } from "../../../schemas/keys.ts";
import { eventually } from "../../harness/eventually.ts";
import { ownSystem } from "../../harness/own.ts";
import { itemHandlers, startAWorker } from "../../harness/worker.ts";

const own = ownSystem();
test.beforeEach(async () => void (await own.system.redis.flushall()));

/** Stores in each of three partitions. */
const stores = ["main", "six", "one", "three", "four", "five"].map((id) => storeKey("demo", id));
const PARTITIONS = partitionsOfQueue("item", 3);

/** A publisher that divides queues into partitions. */
function openPublisher(t: { teardown(end: () => unknown): void }, queuePartitions: number) {
  const publisher = createPublisher({
    ...{ ...own.system, queuePartitions, isFull: async () => false, findUnread: async () => new Set<never>() },
    ...{ choices: { noteUnread: async () => {} }, onError: () => {} },
    observers: { notify: async () => {}, streamLabels: () => {} },
  });
  t.teardown(publisher.close);
  return publisher;
}

const chunkOf = (store: string, number: number) => ({
  ...{ name: "patch-items", urgency: "interactive" as const, id: `${store}/requests/${number}/0~0` },
  data: { key: `${store}/requests/${number}/0`, store, number, index: 0, ordered: false, size: 1 },
});

test.serial("a worker takes each job of all partitions once, and counts its progress in each partition", async (t) => {
  const publisher = openPublisher(t, 3);
  const handled: string[] = [];
  const handlers = itemHandlers(async (chunks) => {
    handled.push(...chunks.map(({ store }) => store));
    return [];
  });
  const worker = startAWorker(t, own, "item", handlers, { queuePartitions: 3 });
  await publisher.enqueue(
    "item",
    stores.map((store) => chunkOf(store, 1)),
  );
  await eventually("all are handled", async () => handled.length === stores.length);
  t.deepEqual(handled.toSorted(), stores.toSorted());
  await eventually("none is left", async () => (await publisher.countJobs("item", "completed")).completed === 6);
  t.deepEqual(PARTITIONS.map(worker.progress), [2, 2, 2]);
});

test.serial("jobs left by processes with more partitions are handled by a process with fewer", async (t) => {
  const publisher = openPublisher(t, 3);
  await publisher.enqueue(
    "item",
    stores.map((store) => chunkOf(store, 1)),
  );
  const handled: string[] = [];
  const handlers = itemHandlers(async (chunks) => {
    handled.push(...chunks.map(({ store }) => store));
    return [];
  });
  startAWorker(t, own, "item", handlers, { queuePartitions: 1 });
  await eventually("all are handled", async () => handled.length === stores.length);
  t.deepEqual(handled.toSorted(), stores.toSorted());
});

test.serial("an additional partition is served as long as it has jobs", async (t) => {
  const opened: QueuePartition[] = [];
  const closed: QueuePartition[] = [];
  const workers = startPartitionWorkers("item", {
    ...{
      redis: own.system.redis,
      queuePartitions: 2,
      onRedisError: ({ message }: Error) => t.fail(message),
      pollIntervalMs: 5,
    },
    open(partition) {
      opened.push(partition);
      return { close: async () => void closed.push(partition) };
    },
  });
  t.teardown(workers.close);
  t.deepEqual(opened, ["item", "item-1"]);
  const publisher = openPublisher(t, 3);
  const store = stores[4] as string;
  await publisher.enqueue("item", [chunkOf(store, 1)]);
  await eventually("it is served", async () => opened.length === 3);
  t.is(opened[2], "item-2");
  await publisher.queue("item", store).obliterate({ force: true });
  await eventually("the partition is no longer served", async () => closed.length === 1);
  await publisher.enqueue("item", [chunkOf(store, 2)]);
  await eventually("the partition is served again", async () => opened.length === 4);
  await workers.close();
  t.deepEqual(closed.toSorted(), ["item", "item-1", "item-2", "item-2"]);
});
