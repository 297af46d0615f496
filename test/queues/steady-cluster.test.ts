import { once } from "node:events";
import test from "ava";
import type { Cluster } from "ioredis";
import { nodesOf, openWorkerRedis } from "../../queues/redis.ts";
import { eventually } from "../harness/eventually.ts";
import { openRedisCluster, type RedisCluster } from "../harness/redis-servers.ts";

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

test.serial("a closed connection to a cluster stays closed while its nodes end one after another", async (t) => {
  const redis = await openReady();
  const nodes = nodesOf(redis);
  t.is(nodes.length, 3);
  await Promise.all(nodes.map((node) => node.ping()));
  const ended = Promise.all(nodes.map((node) => once(node, "end")));
  redis.disconnect();
  await ended;
  // The end of the last node reaches the cluster in the same turn, and the cluster reports it in the next.
  await new Promise(setImmediate);
  t.is(redis.status, "end");
  await redis.connect();
  t.is(await redis.set("{steady}", "1"), "OK");
  redis.disconnect();
});

test.serial("connecting to a cluster that is down fails, and succeeds without a restart when it is up", async (t) => {
  const redis = await openReady();
  t.teardown(() => redis.disconnect());
  const waiting = (redis as unknown as Cluster).duplicate();
  t.teardown(() => waiting.disconnect());
  waiting.on("error", () => {});
  await once(waiting, "ready");
  waiting.disconnect();
  await once(waiting, "end");
  const slot = await redis.call("CLUSTER", "KEYSLOT", "lost");
  const [holder] = nodesOf(redis).filter(({ options }) => options.port === Number(new URL(servers.url).port));
  const others = nodesOf(redis);
  // A slot that no node has: the whole cluster says that it is down.
  await Promise.all(others.map((node) => node.call("CLUSTER", "DELSLOTS", String(slot))));
  await eventually("every node says so", async () => {
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
  // Each node hears of the slot in its own time, and until then names another.
  await eventually("it takes commands", async () => (await waiting.set("{steady}", "2")) === "OK");
  t.is(waiting.status, "ready");
});
