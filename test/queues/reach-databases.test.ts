import test from "ava";
import { databaseFault, misfitsOf, redisMisfits, redisSettingOf } from "../../queues/reach-databases.ts";
import { openRedis } from "../../queues/redis.ts";

const MB = 1_048_576;

test("an eviction policy that removes jobs is reported with the command that sets the right one", (t) => {
  const { evicts, isFull } = misfitsOf({ used: 1, max: 100, policy: "volatile-lru" }, { REDIS_URL: "redis://a:6379" });
  t.is(
    evicts,
    "REDIS_URL: Redis at a:6379 has the maxmemory-policy volatile-lru, so it evicts jobs when it is full. " +
      "Set it to noeviction: redis-cli CONFIG SET maxmemory-policy noeviction",
  );
  t.is(isFull, undefined);
});

test("a full Redis is reported with its memory use and the command that raises the limit", (t) => {
  t.deepEqual(misfitsOf({ used: 80 * MB, max: 100 * MB, policy: "noeviction" }, { REDIS_URL: "redis://a:6379" }), {
    isFull:
      "REDIS_URL: Redis at a:6379 is full: it uses 80.0 MB of its maxmemory of 100.0 MB, so jobs wait in MongoDB. " +
      "Increase it: redis-cli CONFIG SET maxmemory 200mb",
  });
});

test("a Redis named by Sentinels is reported with their addresses and its name, whatever the URL says", (t) => {
  const address = { REDIS_URL: "redis://a:1", REDIS_SENTINELS: "s:1,s:2", REDIS_SENTINEL_MASTER: "shop" };
  const { evicts } = misfitsOf({ used: 1, max: 100, policy: "volatile-lru" }, address);
  t.regex(evicts ?? "", /^REDIS_SENTINELS: Redis master shop of the Sentinels at s:1,s:2 has the maxmemory-policy /);
  t.deepEqual([address, { REDIS_URL: "redis://a:1" }].map(redisSettingOf), ["REDIS_SENTINELS", "REDIS_URL"]);
  const error = new Error("Command timed out");
  t.is(
    databaseFault(error, { ...address, MONGODB_URL: "mongodb://m" }),
    "REDIS_SENTINELS: Redis master shop of the Sentinels at s:1,s:2 cannot be reached: Command timed out. " +
      "Start it, or correct REDIS_SENTINELS",
  );
});

for (const [title, memory] of [
  ["has room", { used: 70 * MB, max: 100 * MB, policy: "noeviction" }],
  ["has no limit", { used: 70 * MB, max: 0, policy: "noeviction" }],
  ["does not report its policy", { used: 1, max: 100 }],
] as const)
  test(`a Redis that ${title} is accepted`, (t) => {
    t.deepEqual(misfitsOf(memory, { REDIS_URL: "redis://a:6379" }), {});
  });

test("a server that forbids INFO does not stop the process, and its address is logged without the password", async (t) => {
  const forbids = { info: () => Promise.reject(new Error("NOPERM this user has no permissions")) };
  t.deepEqual(await redisMisfits(forbids, { REDIS_URL: "redis://a" }), {});
  const evicting = { info: async () => "used_memory:1\r\nmaxmemory:2\r\nmaxmemory_policy:allkeys-lru\r\n" };
  const { evicts } = await redisMisfits(evicting, { REDIS_URL: "redis://me:hush@a:1/2" });
  t.regex(evicts ?? "", /^REDIS_URL: Redis at a:1 has the maxmemory-policy allkeys-lru/);
});

test("a failed Redis connection or command is not reported as a failure of MongoDB", async (t) => {
  const addresses = { REDIS_URL: "redis://me:hush@127.0.0.1:1", MONGODB_URL: "mongodb://m" };
  const redis = openRedis(addresses);
  t.teardown(() => redis.disconnect());
  const error = await new Promise<Error>((failed) => redis.once("error", failed));
  const reason = "connect ECONNREFUSED 127.0.0.1:1. Start it, or correct REDIS_URL";
  t.is(databaseFault(error, addresses), `REDIS_URL: Redis at 127.0.0.1:1 cannot be reached: ${reason}`);
  const refused = await redis.get("a").catch((failure: Error) => failure);
  t.regex(databaseFault(refused, addresses) ?? "", /^REDIS_URL: Redis at 127\.0\.0\.1:1 cannot be reached: .+/);
});
