import test, { type ExecutionContext } from "ava";
import type { Cluster, Redis } from "ioredis";
import {
  keepsOrder,
  logCalmly,
  nodesOf,
  onReached,
  openRedis,
  openWorkerRedis,
  prefixOf,
  type RedisSettings,
  sendTogether,
} from "../../queues/redis.ts";
import { ownSystem } from "../harness/own.ts";

const own = ownSystem();

/** A connection to a port without a server; the tests only check its options. */
function setFor(t: ExecutionContext, settings: Partial<RedisSettings> = {}, open = openRedis): Redis {
  const redis = open({ REDIS_URL: "redis://127.0.0.1:1", ...settings });
  redis.on("error", () => {});
  t.teardown(() => redis.disconnect());
  return redis;
}
const clusterFor = (t: ExecutionContext, settings: Partial<RedisSettings> = {}, open = openRedis) =>
  (setFor(t, { REDIS_MODE: "cluster", ...settings }, open) as unknown as Cluster).options;

test("a caller's command fails immediately while Redis is down, and after two seconds without a response", (t) => {
  t.like(setFor(t).options, { enableOfflineQueue: false, maxRetriesPerRequest: 1, commandTimeout: 2_000 });
  t.is(setFor(t).options.socketTimeout, 5_000, "a silent connection is closed and opened again");
  const patient = setFor(t, {}, (settings) => openRedis(settings, undefined, 20_000)).options;
  t.like(patient, { enableOfflineQueue: false, commandTimeout: 20_000, socketTimeout: 20_000 });
});

test("Redis lists a connection under its process's name", (t) => {
  const named = (settings: RedisSettings) => openRedis(settings, "shelfwire-item");
  t.is(setFor(t, {}, named).options.connectionName, "shelfwire-item");
  t.is(clusterFor(t, {}, named).redisOptions?.connectionName, "shelfwire-item");
  t.is(
    setFor(t, {}, (settings) => openWorkerRedis(settings, "shelfwire-item")).options.connectionName,
    "shelfwire-item",
  );
});

test("a worker's command waits for Redis indefinitely", (t) => {
  const { options } = setFor(t, {}, openWorkerRedis);
  t.like(options, { enableOfflineQueue: true, maxRetriesPerRequest: null });
  t.is(options.commandTimeout, undefined);
  t.is(options.socketTimeout, 12_000, "longer than BullMQ waits for jobs");
});

test("a connection is retried after a tenth of a second, then after growing pauses of at most two seconds", (t) => {
  const { retryStrategy } = setFor(t).options;
  t.deepEqual(
    [1, 2, 19, 20, 21, 1_000].map((tries) => retryStrategy?.(tries)),
    [100, 200, 1_900, 2_000, 2_000, 2_000],
  );
  t.is(clusterFor(t).clusterRetryStrategy?.(3), 300);
});

test("certificates are verified unless the setting disables it", (t) => {
  t.deepEqual(setFor(t, { REDIS_TLS: "unverified" }).options.tls, { rejectUnauthorized: false });
  t.falsy(setFor(t, { REDIS_TLS: "verified" }).options.tls);
  t.deepEqual(clusterFor(t, { REDIS_TLS: "unverified" }).redisOptions?.tls, { rejectUnauthorized: false });
});

test("each cluster node is connected with the same options as the node in the URL", (t) => {
  const secure = clusterFor(t, { REDIS_URL: "rediss://shop%40home:p%2Fw@127.0.0.1:1" }).redisOptions;
  t.like(secure, { tls: {}, username: "shop@home", password: "p/w", commandTimeout: 2_000, maxRetriesPerRequest: 1 });
  t.deepEqual(clusterFor(t).redisOptions, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    commandTimeout: 2_000,
    socketTimeout: 5_000,
  });
});

test("commands wait for cluster nodes in the same cases as for a single server", (t) => {
  t.false(clusterFor(t).enableOfflineQueue);
  t.true(clusterFor(t, {}, openWorkerRedis).enableOfflineQueue);
});

test("Sentinels name the master, and the URL supplies the user, the password and TLS", (t) => {
  const REDIS_SENTINELS = "127.0.0.1:1, [::1]:2,127.0.0.2";
  const plain = setFor(t, { REDIS_SENTINELS }).options;
  t.deepEqual(plain.sentinels, [
    { host: "127.0.0.1", port: 1 },
    { host: "::1", port: 2 },
    { host: "127.0.0.2", port: 26_379 },
  ]);
  t.like(plain, { name: "mymaster", commandTimeout: 2_000, sentinelTLS: undefined, enableTLSForSentinelMode: false });
  const REDIS_URL = "rediss://me:hush@any/3";
  const secure = setFor(t, { REDIS_URL, REDIS_SENTINELS: "127.0.0.1:1", REDIS_SENTINEL_PASSWORD: "quiet" }).options;
  t.like(secure, { username: "me", password: "hush", db: 3, sentinelPassword: "quiet" });
  t.like(secure, { tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true });
  const any = setFor(t, { REDIS_URL, REDIS_SENTINELS: "127.0.0.1:1", REDIS_TLS: "unverified" }).options;
  t.like(any, { tls: { rejectUnauthorized: false }, sentinelTLS: { rejectUnauthorized: false } });
});

test("cluster nodes are connected by name, since certificates name hosts", (t) => {
  clusterFor(t).dnsLookup?.("node-1.redis", (error, address) => {
    t.is(error, null);
    t.is(address, "node-1.redis");
  });
  t.plan(2);
});

test("a single server is its only node, and commands to different keys keep their order", (t) => {
  const redis = setFor(t);
  t.deepEqual(nodesOf(redis), [redis]);
  t.true(keepsOrder(redis));
  const cluster = setFor(t, { REDIS_MODE: "cluster" });
  t.deepEqual(nodesOf(cluster), []);
  t.false(keepsOrder(cluster));
});

test("a reconnection is reported for a single server and for each cluster node", (t) => {
  let times = 0;
  for (const [settings, events] of [
    [{}, ["ready"]],
    [{ REDIS_MODE: "cluster" }, ["ready", "+node", "+node"]],
  ] as const) {
    const redis = setFor(t, settings);
    onReached(redis, () => {
      times += 1;
    });
    for (const event of events) redis.emit(event);
  }
  t.is(times, 4);
});

test("commands sent together return their results in order", async (t) => {
  const answers = await sendTogether(own.system.redis, [
    ["set", "together", "1"],
    ["incrby", "together", 4],
    ["get", "together"],
    ["get", "nothing"],
  ]);
  t.deepEqual(answers, ["OK", 5, "5", null]);
  t.deepEqual(await sendTogether(own.system.redis, []), []);
});

test("the first error of commands sent together is thrown after all have returned", async (t) => {
  const { redis } = own.system;
  await redis.set("text", "one");
  const sent = sendTogether(redis, [
    ["incr", "text"],
    ["lpush", "text", "two"],
    ["set", "behind", "is done"],
  ]);
  await t.throwsAsync(sent, { message: /not an integer/ });
  t.is(await redis.get("behind"), "is done");
});

test("a source's first error is logged, and later ones at most once a second", (t) => {
  const lines: unknown[] = [];
  let now = 5;
  const warn = (fields: object, message: string) => void lines.push({ ...fields, message });
  const onError = logCalmly({ warn }, () => now);
  const expected = (source: string, error: string) => ({ source, error, message: "a connection failed" });
  onError("redis")(new Error("away"));
  onError("redis")(new Error("away"));
  onError("redis")(new Error("refused"));
  onError("tails")(new Error("away"));
  t.deepEqual(lines.splice(0), [expected("redis", "away"), expected("redis", "refused"), expected("tails", "away")]);
  now += 999;
  onError("redis")(new Error("away"));
  t.deepEqual(lines, []);
  now += 1;
  onError("redis")(new Error("away"));
  onError("redis")(new Error("away"));
  t.deepEqual(lines, [expected("redis", "away")]);
});

test("all keys of a queue are in one cluster slot", (t) => {
  t.is(prefixOf("item"), "{item}");
});
