import test from "ava";
import { sentinelKey } from "../../../queues/changes/audit-parts.ts";
import { partitionsOfQueue } from "../../../queues/queue-partitions.ts";
import { queueNames } from "../../../queues/topology.ts";
import { openLog } from "../../../runtime/log.ts";
import { openStore } from "../../api/calls.ts";
import { auditEpochs } from "../../harness/audits/audit.ts";
import { openRedisCluster, type RedisCluster } from "../../harness/databases/redis-servers.ts";
import { eventually } from "../../harness/eventually.ts";
import { glassOf, itemOutcomes, labelFor, labelOutcomes } from "../../harness/glass.ts";
import { ownStack } from "../../harness/own.ts";
import { hostWith } from "../../harness/threads/host.ts";

let cluster: RedisCluster;
/** The watchdog restarts a worker whose queue stalls after a server restart. */
const host = hostWith((name, { LOG_LEVEL = "silent" }) => openLog(name, LOG_LEVEL), { isRestarted: true });
const shelfwire = ownStack(
  {
    openRedis: async () => {
      cluster = await openRedisCluster();
      return cluster;
    },
    // Each worker opens connections for each partition in this thread, so workers without work here are left out.
    workers: ["item", "link", "evaluator", "renderer", "transmitter"],
    // With one audit a day, no scheduled audit can repair what a node loses during the test.
    settings: { REDIS_MODE: "cluster", QUEUE_PARTITIONS: "3", AUDIT_EVERY: "86400" },
  },
  host,
);

/** One store on each partition. */
const STORES = ["six", "three", "five"];
/** More rows than an interactive request may have, so the list is bulk. */
const ROWS = 120;
const LABELS = 15;
const itemIdsOf = (store: string) => Array.from({ length: ROWS }, (_, index) => `${store}-${index}`);
const receivedBy = (barcode: string) => shelfwire.labelServer.labels.get(barcode)?.pages.get(0)?.received ?? 0;
const slotOf = async (key: string) => Number(await shelfwire.system.redis.call("CLUSTER", "KEYSLOT", key));

test.serial("each partition of each queue is in a slot of its own", async (t) => {
  const { publisher } = shelfwire.system;
  const partitions = queueNames.flatMap(publisher.partitions);
  t.is(publisher.partitions("item").length, 3);
  const slots = await Promise.all(partitions.map((partition) => slotOf(partition.toKey("wait"))));
  t.is(new Set(slots).size, partitions.length);
});

test.serial("price lists reach the glass through all partitions", async (t) => {
  const { publisher } = shelfwire.system;
  for (const storeId of STORES) {
    const shop = await openStore(shelfwire, storeId);
    const itemIds = itemIdsOf(storeId);
    const list = await shop.client.patchItems(itemIds.map((itemId) => ({ itemId, itemName: itemId, price: "1.00" })));
    const labels = itemIds.slice(0, LABELS).map((itemId) => ({ barcode: labelFor(itemId), links: [{ itemId }] }));
    const links = await shop.client.patchLabels(labels);
    t.is((await itemOutcomes(shop, list)).length, ROWS);
    t.is((await labelOutcomes(shop, links)).length, LABELS);
    for (const itemId of itemIds.slice(0, LABELS)) t.truthy(await glassOf(shop, labelFor(itemId)));
    const repriced = await shop.client.patchItems([{ itemId: `${storeId}-0`, price: "2.00" }]);
    t.is((await itemOutcomes(shop, repriced))[0]?.status, "SUCCESS");
  }
  for (const queue of ["item", "link", "renderer", "transmitter"] as const)
    for (const partition of publisher.partitions(queue))
      t.true((await partition.getCompletedCount()) > 0, partition.name);
});

test.serial(
  "when the node of one partition restarts, that partition's queue is audited, and prices still reach the glass",
  async (t) => {
    const { system } = shelfwire;
    const slot = await slotOf(sentinelKey(partitionsOfQueue("renderer", 3)[1] ?? "renderer"));
    const slots = (await system.redis.call("CLUSTER", "SLOTS")) as [number, number, [string, number]][];
    const [, , [, port]] = slots.find(([from, to]) => from <= slot && slot <= to) ?? [0, 0, ["", 0]];
    const node = cluster.nodes.find(({ url }) => Number(new URL(url).port) === port);
    const before = await auditEpochs(system);
    const barcode = labelFor("three-1");
    const sent = receivedBy(barcode);
    const shop = await openStore(shelfwire, "three");
    await node?.kill();
    await shop.client.patchItems([{ itemId: "three-1", price: "3.00" }]);
    await node?.start();
    await eventually(
      "an audit begins",
      async () => ((await auditEpochs(system)).get("renderer") ?? 0) > (before.get("renderer") ?? 0),
    );
    await eventually("the price is on the glass", async () => receivedBy(barcode) > sent);
    t.pass();
  },
);
