import test from "ava";
import { forgetRedis } from "../../queues/forget-redis.ts";
import { nodesOf } from "../../queues/redis.ts";
import { eventually } from "../harness/eventually.ts";
import { glassOf, itemOutcomes, labelFor, labelOutcomes } from "../harness/glass.ts";
import { ownStack } from "../harness/own.ts";
import { openRedisCluster } from "../harness/redis-servers.ts";

const shelfwire = ownStack({
  openRedis: openRedisCluster,
  // A bucket that fills slowly is seen in Redis for a while.
  settings: { REDIS_MODE: "cluster", RATE_LIMIT: "5", RATE_BURST: "10000" },
});

test.serial("prices go to the glass through a cluster of two nodes, interactive ones and lists", async (t) => {
  const { client } = shelfwire;
  const itemIds = Array.from({ length: 150 }, (_, index) => `cluster-${index}`);
  const list = await client.patchItems(itemIds.map((itemId) => ({ itemId, itemName: itemId, price: "1.00" })));
  const labels = itemIds.map((itemId) => ({ barcode: labelFor(itemId), links: [{ itemId }] }));
  const links = await client.patchLabels(labels);
  t.is((await itemOutcomes(shelfwire, list)).length, 150);
  t.is((await labelOutcomes(shelfwire, links)).length, 150);
  for (const itemId of [itemIds[0] ?? "", itemIds.at(-1) ?? ""]) t.truthy(await glassOf(shelfwire, labelFor(itemId)));
  const repriced = await client.patchItems([{ itemId: "cluster-0", price: "2.00" }]);
  t.is((await itemOutcomes(shelfwire, repriced))[0]?.status, "SUCCESS");
  const answer = await shelfwire.call("POST", `/labels/${labelFor("cluster-0")}/flash`, { duration: 4 });
  t.true(answer.ok, await answer.text());
});

test.serial("both nodes hold keys of each kind, and forget all of the jobs after a restore", async (t) => {
  const { redis } = shelfwire.system;
  const nodes = nodesOf(redis);
  const keys = await Promise.all(nodes.map((node) => node.keys("*")));
  t.is(keys.length, 2);
  for (const ofNode of keys) t.true(ofNode.length > 0);
  const families = new Set(keys.flat().map((key) => key.split(":")[0]));
  for (const family of ["rate", "result", "bulk", "{flash}", "{storeesl.v1}"]) t.true(families.has(family), family);
  t.true((await forgetRedis(redis)) > 0);
  const barcode = labelFor("cluster-1");
  await shelfwire.client.patchItems([{ itemId: "cluster-1", itemName: "Once more", price: "3.00" }]);
  await eventually(
    "it is drawn again",
    async () => (shelfwire.labelServer.labels.get(barcode)?.pages.get(0)?.received ?? 0) > 1,
  );
});
