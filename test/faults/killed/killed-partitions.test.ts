import test from "ava";
import type { Queue } from "bullmq";
import { partitionsOfQueue } from "../../../queues/queue-partitions.ts";
import { openStore } from "../../api/calls.ts";
import { eventually } from "../../harness/eventually.ts";
import { itemOutcomes } from "../../harness/glass.ts";
import { ownStack } from "../../harness/own.ts";
import { startProcess } from "../../harness/processes/own-process.ts";
import type { Served } from "../../harness/served.ts";

const PARTITIONS = partitionsOfQueue("item", 3);
const ROWS = 50;
/** One store on each partition. */
const STORES = ["six", "three", "five"];

// No sweep repairs what a killed process leaves unfinished, until all jobs have been taken over.
const shelfwire = ownStack({
  workers: ["link", "evaluator"],
  settings: { QUEUE_PARTITIONS: String(PARTITIONS.length), SWEEP_EVERY: "86400" },
});

test("another process takes over a killed process's jobs in each partition, and none is lost", async (t) => {
  const partitions = shelfwire.system.publisher.partitions("item");
  const ofEach = (count: (partition: Queue) => Promise<number>) => Promise.all(partitions.map(count));
  const killed = startProcess(t, "workers/item/process.ts", shelfwire.environment);
  const shops = await Promise.all(STORES.map((store) => openStore(shelfwire, store)));
  await eventually("the process takes jobs from each partition", async () =>
    (await ofEach((partition) => partition.getWorkersCount())).every((count) => count === 1),
  );
  const rows = Array.from({ length: ROWS }, (_, index) => ({ itemId: `item-${index}`, price: "1.00" }));
  const send = async (shop: Served) => ({ shop, request: await shop.client.patchItems(rows) });
  const sent: Awaited<ReturnType<typeof send>>[] = [];
  const hasJobs = async () => (await ofEach((partition) => partition.getActiveCount())).every((count) => count > 0);
  // The process is stopped during each check, so that the job counts do not change.
  while (!(await hasJobs())) {
    process.kill(killed.pid, "SIGCONT");
    sent.push(...(await Promise.all(shops.map(send))));
    process.kill(killed.pid, "SIGSTOP");
  }
  process.kill(killed.pid, "SIGKILL");
  await killed.ended;

  await shelfwire.openWorker("item");
  for (const { shop, request } of sent) {
    const outcomes = await itemOutcomes(shop, request);
    t.is(outcomes.filter(({ status }) => status.startsWith("SUCCESS")).length, ROWS);
  }
  // Only a sweep finds changes that the killed process wrote and did not publish.
  shelfwire.system.sweeper.request();
});
