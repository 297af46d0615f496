import { once } from "node:events";
import test, { type ExecutionContext } from "ava";
import { Redis } from "ioredis";
import { sentinelKey } from "../../../../queues/changes/audit-parts.ts";
import { openRedis, openWorkerRedis, prefixOf } from "../../../../queues/redis.ts";
import { type ClusterNode, openRedisCluster, type RedisCluster } from "../../../harness/databases/redis-servers.ts";
import { eventually } from "../../../harness/eventually.ts";
import { ownSystem } from "../../../harness/own.ts";
import { PATIENT_MS } from "../../../harness/patience.ts";
import { EPOCH, QUEUE, startAnAuditor } from "./an-auditor.ts";

/** A single cluster node can lose its data without any connection to the cluster closing or opening. */
const own = ownSystem();
let cluster: RedisCluster;
let redis: Redis;
test.serial.before(async () => {
  cluster = await openRedisCluster(true);
  redis = openRedis({ REDIS_URL: cluster.url, REDIS_MODE: "cluster" }, undefined, PATIENT_MS);
  redis.on("error", () => {});
  await once(redis, "ready");
});
test.after.always(async () => {
  redis?.disconnect();
  await cluster?.kill();
});

const runIdIn = (info: string): string => /run_id:(\w+)/.exec(info)?.[1] ?? "";

/** Calls one node directly. */
async function ask<T>(node: ClusterNode, call: (redis: Redis) => Promise<T>): Promise<T> {
  const client = new Redis(node.url);
  try {
    return await call(client);
  } finally {
    client.disconnect();
  }
}

/** The master that holds the queue's keys, its replica, and the other masters. */
interface NodesOfQueue {
  holder: ClusterNode;
  replica: ClusterNode;
  others: ClusterNode[];
}

/** A node that has just restarted knows no replicas until the other nodes announce them. */
const nodesOfQueue = () => eventually("the cluster has a master and a replica for the queue's slot", lookForNodes);

async function lookForNodes(): Promise<NodesOfQueue | undefined> {
  const slot = Number(await redis.call("CLUSTER", "KEYSLOT", sentinelKey(QUEUE)));
  const slots = (await redis.call("CLUSTER", "SLOTS")) as [number, number, ...[string, number][]][];
  const [, , ...servers] = slots.find(([from, to]) => from <= slot && slot <= to) ?? [0, 0];
  const [holderPort, replicaPort] = servers.map(([, port]) => port);
  const at = (port: number | undefined) => cluster.nodes.find(({ url }) => Number(new URL(url).port) === port);
  const [holder, replica] = [at(holderPort), at(replicaPort)];
  if (holder === undefined || replica === undefined) return undefined;
  const others = slots.flatMap(([, , first]) => (first?.[1] === holderPort ? [] : (at(first?.[1]) ?? [])));
  return { holder, replica, others };
}

/** Starts an auditor of a queue whose last audit recorded the run ID of the node that holds its keys. */
async function startAudited(t: ExecutionContext) {
  await redis.set(sentinelKey(QUEUE), String(EPOCH));
  const { holder } = await nodesOfQueue();
  const runId = runIdIn(await ask(holder, (node) => node.info("server")));
  const auditor = await startAnAuditor(t, own, { redis, audit: { runId }, pollIntervalMs: 20 });
  await auditor.untilSettled();
  t.deepEqual(auditor.seen.begun, []);
  return auditor;
}

const untilWhole = (node: ClusterNode) =>
  eventually("the cluster is complete again", async () =>
    /cluster_state:ok/.test(String(await ask(node, (client) => client.call("CLUSTER", "INFO")))),
  );

test.serial("a command sent to a silent node reaches the node that replaces it", async (t) => {
  const { holder, replica, others } = await nodesOfQueue();
  const workers = openWorkerRedis({ REDIS_URL: others[0]?.url ?? "", REDIS_MODE: "cluster" });
  t.teardown(() => workers.disconnect());
  workers.on("error", () => {});
  const key = `${prefixOf(QUEUE)}:silent`;
  await workers.set(key, "before");
  // Like a stopped host: its connections stay open, and no command gets a response.
  await ask(holder, (node) => node.call("CLIENT", "PAUSE", 3_600_000, "ALL"));
  let isSet = false;
  void workers.set(key, "after").then(() => {
    isSet = true;
  });
  await ask(replica, (node) => node.call("CLUSTER", "FAILOVER", "TAKEOVER"));
  await eventually("the command has been answered", async () => isSet);
  t.is(await ask(replica, (node) => node.get(key)), "after");
  await holder.kill();
  await holder.start();
  await untilWhole(replica);
});

test.serial("a cluster node that restarts with its data triggers audits of its queues", async (t) => {
  const { holder, others } = await nodesOfQueue();
  const { seen, untilSettled } = await startAudited(t);
  for (const other of others) {
    await other.kill();
    await other.start();
    await untilWhole(holder);
  }
  await untilSettled();
  t.deepEqual(seen.begun, [], "the other nodes hold no key of the queue");
  await holder.kill();
  await holder.start();
  await eventually("an audit begins", async () => seen.begun.length > 0);
  t.like(seen.begun[0], { reason: "Redis has a new run id", scope: "t/" });
});

test.serial("a replica that replaces its master triggers audits of its queues", async (t) => {
  const { holder, replica } = await nodesOfQueue();
  await eventually("the replica has the current sentinel", async () =>
    /master_link_status:up/.test(await ask(replica, (node) => node.info("replication"))),
  );
  const { seen } = await startAudited(t);
  await redis.call("WAIT", 1, 0);
  await holder.kill();
  await ask(replica, (node) => node.call("CLUSTER", "FAILOVER", "TAKEOVER"));
  await eventually("an audit begins", async () => seen.begun.length > 0);
  t.like(seen.begun[0], { reason: "Redis has a new run id", scope: "t/" });
});
