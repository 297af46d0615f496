import test from "ava";
import { sentinelKey } from "../../../queues/changes/audit-parts.ts";
import { forgetRedis } from "../../../queues/forget-redis.ts";
import { nodesOf } from "../../../queues/redis.ts";
import { type ProcessName, processNames } from "../../../queues/topology.ts";
import { openLog } from "../../../runtime/log.ts";
import { auditEpochs } from "../../harness/audits/audit.ts";
import { openRedisCluster, type RedisCluster } from "../../harness/databases/redis-servers.ts";
import { eventually } from "../../harness/eventually.ts";
import { glassOf, itemOutcomes, labelFor, labelOutcomes } from "../../harness/glass.ts";
import { ownStack } from "../../harness/own.ts";
import { platformToken, sessionOf } from "../../harness/served.ts";
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
    // With slow rate limits, a bucket stays in Redis long enough to be found. With one audit a day, no audit repairs what a node
    // loses.
    settings: {
      ...{ REDIS_MODE: "cluster", RATE_LIMIT: "5", RATE_BURST: "10000", AUDIT_EVERY: "86400" },
      METRICS_TOKEN: "a-token-for-metrics",
    },
  },
  host,
);

const itemIds = Array.from({ length: 150 }, (_, index) => `cluster-${index}`);
const receivedBy = (barcode: string) => shelfwire.labelServer.labels.get(barcode)?.pages.get(0)?.received ?? 0;

test.serial("both interactive prices and lists reach the glass through a cluster of three nodes", async (t) => {
  const { client } = shelfwire;
  const list = await client.patchItems(itemIds.map((itemId) => ({ itemId, itemName: itemId, price: "1.00" })));
  const labels = itemIds.map((itemId) => ({ barcode: labelFor(itemId), links: [{ itemId }] }));
  const links = await client.patchLabels(labels);
  t.is((await itemOutcomes(shelfwire, list)).length, 150);
  t.is((await labelOutcomes(shelfwire, links)).length, 150);
  for (const itemId of itemIds) t.truthy(await glassOf(shelfwire, labelFor(itemId)));
  const repriced = await client.patchItems([{ itemId: "cluster-0", price: "2.00" }]);
  t.is((await itemOutcomes(shelfwire, repriced))[0]?.status, "SUCCESS");
  const answer = await shelfwire.call("POST", `/labels/${labelFor("cluster-0")}/flash`, { duration: 4 });
  t.true(answer.ok, await answer.text());
});

test.serial("logins, sessions, the dashboard, tails and metrics work on a cluster", async (t) => {
  const { origin, base } = shelfwire;
  const guess = () =>
    fetch(`${origin}/api/public/auth/v1/login`, { headers: { authorization: `Basic ${btoa("till:no")}` } });
  const statuses: number[] = [];
  // On a busy machine a pause may be over before the next guess. Even more guesses would also pause the address.
  while (!statuses.includes(429) && statuses.length < 18) statuses.push((await guess()).status);
  t.deepEqual([...new Set(statuses)], [401, 429], "repeated wrong passwords are throttled");

  const cookie = await sessionOf(origin, await platformToken());
  const board = await fetch(`${origin}/dashboard/api/queues?activeQueue=item&status=completed&page=1`, {
    headers: { cookie },
  });
  const { queues } = (await board.json()) as { queues: { name: string; jobs: unknown[] }[] };
  t.deepEqual([queues.length > 8, (queues.find(({ name }) => name === "item")?.jobs.length ?? 0) > 0], [true, true]);

  const end = new AbortController();
  t.teardown(() => end.abort());
  const headers = { authorization: `Bearer ${await shelfwire.token()}` };
  const tail = await fetch(`${base}/labels/tail`, { headers, signal: end.signal });
  let tailed = "";
  void (async () => {
    for await (const part of tail.body ?? []) tailed += new TextDecoder().decode(part);
  })().catch(() => {});
  await eventually("the tail is open", async () => tailed.startsWith(": "));
  const barcode = labelFor("cluster-2");
  await shelfwire.client.patchItems([{ itemId: "cluster-2", price: "4.00" }]);
  await eventually("the tail names the label", async () => tailed.includes(barcode));

  const page = await fetch(`${origin}/metrics?all`, { headers: { authorization: "Bearer a-token-for-metrics" } });
  const figures = await page.text();
  for (const name of processNames) t.regex(figures, new RegExp(`shelfwire_queue_jobs\\{.*queue="${name}"`));
  t.regex(figures, /shelfwire_redis_memory_used_bytes\S* \d+/);
});

test.serial("every node stores keys of each kind, and a restore deletes all jobs", async (t) => {
  const { redis } = shelfwire.system;
  const nodes = nodesOf(redis);
  const familiesOf = (keys: readonly string[][]) => new Set(keys.flat().map((key) => key.split(":")[0]));
  const keys = await eventually("the nodes list their keys, with a bucket", async () => {
    // Each of these calls keeps its bucket in Redis for a fifth of a second.
    await Promise.all(Array.from({ length: 150 }, () => shelfwire.call("GET", "/items/cluster-0")));
    const listed = await Promise.all(nodes.map((node) => node.keys("*")));
    return familiesOf(listed).has("rate") && listed;
  });
  t.is(keys.length, 3);
  for (const ofNode of keys) t.true(ofNode.length > 0);
  const families = familiesOf(keys);
  for (const family of ["rate", "result", "bulk", "{flash}", "{labels}", "sealed-session"])
    t.true(families.has(family), family);
  t.true((await forgetRedis(redis)) > 0);
  const barcode = labelFor("cluster-1");
  const sent = receivedBy(barcode);
  await shelfwire.client.patchItems([{ itemId: "cluster-1", itemName: "Once more", price: "3.00" }]);
  await eventually("the labels are drawn again", async () => receivedBy(barcode) > sent);
});

test.serial("when a node restarts its queues are audited, and prices still reach the glass", async (t) => {
  const { system } = shelfwire;
  const { redis } = system;
  // A caller's command has two seconds, but a node that has just started may need longer on a busy machine.
  const ask = (...command: [string, ...string[]]) =>
    eventually("a node responds", async () => [await redis.call(...command)]);
  const [slots] = (await ask("CLUSTER", "SLOTS")) as [[number, number, [string, number]][]];
  const audited = new Set<string>();
  for (const [index, node] of cluster.nodes.entries()) {
    const [from = 0, to = 0] = slots.find(([, , [, port]]) => port === Number(new URL(node.url).port)) ?? [];
    const held: ProcessName[] = [];
    for (const queue of processNames) {
      const [slot] = (await ask("CLUSTER", "KEYSLOT", sentinelKey(queue))) as [number];
      if (from <= slot && slot <= to) held.push(queue);
    }
    const before = await auditEpochs(system);
    const barcode = labelFor(`cluster-${10 + index}`);
    const sent = receivedBy(barcode);
    await node.kill();
    const price = `${index}.55`;
    // Accepted while the node is down: work that Redis does not accept waits in MongoDB.
    await shelfwire.client.patchItems([{ itemId: `cluster-${10 + index}`, price }]);
    await node.start();
    for (const queue of held) {
      await eventually(
        `the audit of ${queue} begins`,
        async () => ((await auditEpochs(system)).get(queue) ?? 0) > (before.get(queue) ?? 0),
      );
      audited.add(queue);
    }
    await eventually(`the price ${price} is on the glass`, async () => receivedBy(barcode) > sent);
  }
  t.deepEqual([...audited].sort(), [...processNames].sort());
});

test.serial("a node that fails in the middle of a list loses none of its prices", async (t) => {
  const { client } = shelfwire;
  const sent = new Map(itemIds.map((itemId) => [itemId, receivedBy(labelFor(itemId))]));
  const isNew = (itemId: string) => receivedBy(labelFor(itemId)) > (sent.get(itemId) ?? 0);
  const list = await client.patchItems(itemIds.map((itemId) => ({ itemId, price: "7.77" })));
  await eventually("the first pictures of the list are sent", async () => itemIds.some(isNew));
  await cluster.nodes[0]?.kill();
  const urgent = await client.patchItems([{ itemId: "cluster-0", price: "8.88" }]);
  await cluster.nodes[0]?.start();
  const outcomes = [...(await itemOutcomes(shelfwire, list)), ...(await itemOutcomes(shelfwire, urgent))];
  t.deepEqual([...new Set(outcomes.map(({ status }) => status))], ["SUCCESS"]);
  await eventually("each price of the list is on the glass", async () => itemIds.every(isNew));
});
