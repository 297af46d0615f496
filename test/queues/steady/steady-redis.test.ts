import test from "ava";
import { onceReady, openRedis, openWorkerRedis, type RedisSettings } from "../../../queues/redis.ts";
import { SteadyRedis } from "../../../queues/steady/steady-redis.ts";
import { ownSystem } from "../../harness/own.ts";
import { PATIENT_MS } from "../../harness/patience.ts";

const own = ownSystem();

for (const [connection, open] of [
  ["a caller's connection", (settings: RedisSettings) => openRedis(settings, undefined, PATIENT_MS)],
  ["a worker's connection", openWorkerRedis],
] as const)
  test.serial(
    `${connection} that is closed between two attempts to connect ends, and so do its commands`,
    async (t) => {
      const redis = open({ REDIS_URL: own.databases.redis.url });
      t.teardown(() => redis.disconnect());
      await onceReady(redis);
      const id = await redis.client("ID");
      const lost = t.throwsAsync(redis.blpop("nothing is ever here", 0), { message: "Connection is closed." });
      const ended = new Promise<string>((resolve) =>
        redis.once("reconnecting", () => {
          redis.disconnect();
          resolve(redis.status);
        }),
      );
      await own.system.redis.client("KILL", "ID", id);
      t.is(await ended, "end");
      await lost;
    },
  );

test("the connection on which BullMQ waits for jobs is as steady", (t) => {
  const redis = openWorkerRedis({ REDIS_URL: own.databases.redis.url });
  const waiting = redis.duplicate();
  t.teardown(() => [redis, waiting].map((one) => one.disconnect()));
  t.true(waiting instanceof SteadyRedis);
  t.deepEqual(waiting.options, redis.options);
});
