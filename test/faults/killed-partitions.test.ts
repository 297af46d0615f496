import test from "ava";
import { partitionsOfQueue } from "../../queues/queue-partitions.ts";
import { processNames } from "../../queues/topology.ts";
import { openStore } from "../api/calls.ts";
import { eventually } from "../harness/eventually.ts";
import { itemOutcomes } from "../harness/glass.ts";
import { ownStack } from "../harness/own.ts";
import { startProcess } from "../harness/own-process.ts";

const PARTITIONS = partitionsOfQueue("item", 3);
const ROWS = 3_000;
/** One of each partition. */
const STORES = ["six", "three", "five"];

// No sweep repairs what a process leaves.
const shelfwire = ownStack({
  workers: processNames.filter((name) => name !== "item"),
  settings: { QUEUE_PARTITIONS: String(PARTITIONS.length), SWEEP_EVERY: "86400" },
});

test("the jobs that a killed process had in each partition are done by another, and none is lost", async (t) => {
  const { publisher } = shelfwire.system;
  const killed = startProcess(t, "workers/item/process.ts", shelfwire.environment);
  const shops = await Promise.all(STORES.map((store) => openStore(shelfwire, store)));
  const rows = Array.from({ length: ROWS }, (_, index) => ({ itemId: `item-${index}`, price: "1.00" }));
  const active = () => Promise.all(publisher.partitions("item").map((partition) => partition.getActiveCount()));
  const requests = await Promise.all(shops.map(({ client }) => client.patchItems(rows)));
  await eventually("it has jobs of each partition", async () => (await active()).every((count) => count > 0));
  process.kill(killed.pid, "SIGKILL");
  await killed.ended;
  const left = await active();
  t.true(
    left.every((count) => count > 0),
    `${left} jobs`,
  );

  await shelfwire.openWorker("item");
  for (const [index, shop] of shops.entries()) {
    const outcomes = await itemOutcomes(shop, requests[index] as number);
    t.is(outcomes.filter(({ status }) => status === "SUCCESS").length, ROWS, STORES[index]);
  }
});
