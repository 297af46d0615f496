import { once } from "node:events";
import test, { type ExecutionContext } from "ava";
import type { Cluster, Redis } from "ioredis";
import { nodesOf, openWorkerRedis } from "../../../queues/redis.ts";
import { openRedisCluster, type RedisCluster } from "../../harness/databases/redis-servers.ts";
import { eventually } from "../../harness/eventually.ts";

let servers: RedisCluster;
test.serial.before(async () => {
  servers = await openRedisCluster();
});
test.after.always(() => servers.kill());

async function openReady() {
  const redis = openWorkerRedis({ REDIS_URL: servers.url, REDIS_MODE: "cluster" });
  redis.on("error", () => {});
  await once(redis, "ready");
  return redis;
}

/** Opens a connection and its duplicate, like BullMQ's, which waits for jobs; both end with the test. */
async function openWaiting(t: ExecutionContext) {
  const redis = await openReady();
  t.teardown(() => redis.disconnect());
  const waiting = (redis as unknown as Cluster).duplicate();
  t.teardown(() => waiting.disconnect());
  waiting.on("error", () => {});
  await once(waiting, "ready");
  return { redis, waiting };
}

test.serial("a closed connection to a cluster stays closed while its nodes end one after another", async (t) => {
  const redis = await openReady();
  const nodes = nodesOf(redis);
  t.is(nodes.length, 3);
  await Promise.all(nodes.map((node) => node.ping()));
  const ended = Promise.all(nodes.map((node) => once(node, "end")));
  redis.disconnect();
  await ended;
  // The last node's end reaches the cluster in the same turn, and the cluster reports it in the next.
  await new Promise(setImmediate);
  t.is(redis.status, "end");
  await redis.connect();
  t.is(await redis.set("{steady}", "1"), "OK");
  redis.disconnect();
});

test.serial("a connection that is closed while it waits for an unreachable cluster ends", async (t) => {
  const redis = openWorkerRedis({ REDIS_URL: "redis://127.0.0.1:1", REDIS_MODE: "cluster" });
  t.teardown(() => redis.disconnect());
  redis.on("error", () => {});
  await eventually("the connection waits for its next attempt", async () => redis.status === "reconnecting");
  let outcome: string | undefined;
  redis.get("lost").catch(({ message }: Error) => {
    outcome = message;
  });
  redis.disconnect();
  t.is(await eventually("its command has an outcome", async () => outcome), "Connection is closed.");
  t.is(redis.status, "end");
});

test.serial("a connection that is closed while a node redirects its command ends", async (t) => {
  const redis = await openReady();
  t.teardown(() => redis.disconnect());
  const key = "redirected";
  const slot = Number(await redis.call("CLUSTER", "KEYSLOT", key));
  await redis.get(key);
  const nodes = nodesOf(redis);
  const ids = await Promise.all(nodes.map((node) => node.call("CLUSTER", "MYID")));
  const slots = (await redis.call("CLUSTER", "SLOTS")) as [from: number, to: number, [host: string, port: number]][];
  const [, , [, port]] = slots.find(([from, to]) => from <= slot && slot <= to) ?? [0, 0, ["", 0]];
  const holder = nodes.findIndex(({ options }) => options.port === port);
  const [next, last] = [(holder + 1) % nodes.length, (holder + 2) % nodes.length];
  // As after a failover: this connection does not know yet that another node has the slot.
  for (const at of [next, holder, last])
    await nodes[at]?.call("CLUSTER", "SETSLOT", String(slot), "NODE", String(ids[next]));
  let outcome: string | undefined;
  redis.get(key).catch(({ message }: Error) => {
    outcome = message;
  });
  redis.disconnect();
  await eventually("it ends", async () => redis.status === "end");
  t.truthy(await eventually("its command has an outcome", async () => outcome));
});

test.serial("connecting to a cluster that is down fails, and succeeds without a restart when it is up", async (t) => {
  const { redis, waiting } = await openWaiting(t);
  waiting.disconnect();
  await once(waiting, "end");
  const slot = await redis.call("CLUSTER", "KEYSLOT", "lost");
  const [holder] = nodesOf(redis).filter(({ options }) => options.port === Number(new URL(servers.url).port));
  const others = nodesOf(redis);
  // No node has one of the slots, so the whole cluster reports that it is down.
  await Promise.all(others.map((node) => node.call("CLUSTER", "DELSLOTS", String(slot))));
  await eventually("every node reports it", async () => {
    const states = await Promise.all(others.map((node) => node.call("CLUSTER", "INFO")));
    return states.every((state) => /cluster_state:fail/.test(String(state)));
  });
  let outcome: string | undefined;
  waiting.connect().then(
    () => (outcome = "ready"),
    ({ message }: Error) => (outcome = message),
  );
  t.regex(await eventually("connecting has an outcome", async () => outcome), /closed before it was ready/);
  await holder?.call("CLUSTER", "ADDSLOTS", String(slot));
  // Each node learns of the slot's move at a different time, and names the former node until then.
  await eventually("it takes commands", async () => (await waiting.set("{steady}", "2")) === "OK");
  t.is(waiting.status, "ready");
});

test.serial("a connection is reopened through other nodes while the node in its setting is down", async (t) => {
  const { redis, waiting } = await openWaiting(t);
  const key = await keyOutsideOf(redis, servers.url);
  // Otherwise a node would report that the cluster is down, since no replica has the first node's slots.
  await Promise.all(nodesOf(redis).map((node) => node.call("CONFIG", "SET", "cluster-require-full-coverage", "no")));
  await servers.nodes[0]?.kill();
  const later = (redis as unknown as Cluster).duplicate();
  t.teardown(() => later.disconnect());
  later.on("error", () => {});
  // Like BullMQ's connection, which waits for jobs without a limit.
  waiting.disconnect();
  await eventually("it ends", async () => waiting.status === "end");
  // The first attempt may reach the node that is down; the connection then retries by itself.
  await waiting.connect().catch(() => {});
  await eventually("it is connected again", async () => waiting.status === "ready");
  t.is(await waiting.set(key, "1"), "OK");
  t.is(await later.get(key), "1", "a connection that was opened in the meantime works too");
});

/** A key that belongs to a node other than the one at `url`. */
async function keyOutsideOf(redis: Redis, url: string): Promise<string> {
  const slots = (await redis.call("CLUSTER", "SLOTS")) as [from: number, to: number, [host: string, port: number]][];
  for (let at = 0; ; at += 1) {
    const slot = Number(await redis.call("CLUSTER", "KEYSLOT", `key-${at}`));
    const [, , holder] = slots.find(([from, to]) => from <= slot && slot <= to) ?? [];
    if (holder !== undefined && holder[1] !== Number(new URL(url).port)) return `key-${at}`;
  }
}
