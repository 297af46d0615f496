import test from "ava";
import { MAX_QUEUE_PARTITIONS, partitionOfJobs, partitionsOfQueue } from "../../queues/queue-partitions.ts";
import { queueNames } from "../../queues/topology.ts";
import { readEnvironment } from "../../schemas/environment.ts";
import { storeKey, tenantKey } from "../../schemas/keys.ts";

const stores = Array.from({ length: 2_000 }, (_, index) => storeKey("chain", `store-${1_000 + index}`));

test("a queue with one partition keeps its name for every store", (t) => {
  for (const queue of queueNames) {
    t.deepEqual(partitionsOfQueue(queue, 1), [queue]);
    for (const store of stores.slice(0, 20)) t.is(partitionOfJobs(queue, store, 1), queue);
  }
});

test("the first partition has the queue's name, so that no job is lost when partitions are added", (t) => {
  t.deepEqual(partitionsOfQueue("item", 3), ["item", "item-1", "item-2"]);
});

test("queues that run jobs one at a time and the observers' queue are not divided", (t) => {
  const undivided = queueNames.filter((queue) => partitionsOfQueue(queue, 3).length === 1);
  t.deepEqual(undivided, ["pages", "flash", "notifier"]);
  for (const queue of undivided) for (const store of stores) t.is(partitionOfJobs(queue, store, 3), queue);
});

// Processes of two releases must put a store's jobs into the same partition.
for (const [owner, ofTwo, ofThree, ofSixteen] of [
  [storeKey("demo", "main"), "item", "item", "item-14"],
  [storeKey("demo", "one"), "item", "item-1", "item-8"],
  [tenantKey("demo"), "item", "item-1", "item-6"],
  ["", "item", "item-2", "item-12"],
] as const) {
  test(`the partition of "${owner}" never changes`, (t) => {
    const partitions = [2, 3, 16].map((count) => partitionOfJobs("item", owner, count));
    t.deepEqual(partitions, [ofTwo, ofThree, ofSixteen]);
  });
}

test("stores are distributed evenly", (t) => {
  for (const count of [2, 3, 6, MAX_QUEUE_PARTITIONS]) {
    const sizes = partitionsOfQueue("renderer", count).map(
      (partition) => stores.filter((store) => partitionOfJobs("renderer", store, count) === partition).length,
    );
    const share = stores.length / count;
    for (const size of sizes) t.true(size > 0.75 * share && size < 1.25 * share, `${count} partitions: ${sizes}`);
  }
});

test("the setting allows no more partitions than a worker serves", (t) => {
  const read = (count: number) => readEnvironment(["QUEUE_PARTITIONS"], [], { QUEUE_PARTITIONS: String(count) });
  t.deepEqual(read(MAX_QUEUE_PARTITIONS), { QUEUE_PARTITIONS: MAX_QUEUE_PARTITIONS });
  t.throws(() => read(MAX_QUEUE_PARTITIONS + 1), { message: /QUEUE_PARTITIONS/ });
});
