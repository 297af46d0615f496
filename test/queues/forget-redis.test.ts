import test from "ava";
import { forgetRedis } from "../../queues/forget-redis.ts";
import { MAX_QUEUE_PARTITIONS, partitionsOfQueue } from "../../queues/queue-partitions.ts";
import { prefixOf } from "../../queues/redis.ts";
import { queueNames } from "../../queues/topology.ts";
import { ownSystem } from "../harness/own.ts";

const own = ownSystem();
test.beforeEach(() => own.system.redis.flushall());

test.serial("the jobs, counts and cached results of every queue are deleted, and nothing else", async (t) => {
  const { redis } = own.system;
  const partitions = queueNames.flatMap((queue) => partitionsOfQueue(queue, MAX_QUEUE_PARTITIONS));
  const jobs = partitions.map((partition) => `${prefixOf(partition)}:${partition}:1`);
  const forgotten = [...jobs, "bulk:t/demo", "result:t/demo/s/main:1"];
  for (const key of [...forgotten, "rate:someone", "{metrics}:processes"]) await redis.set(key, "it");
  const before = new Set(await redis.keys("*"));
  const count = await forgetRedis(redis);
  const left = await redis.keys("*");
  t.is(count, before.size - left.length);
  for (const key of jobs) t.false(left.includes(key), key);
  t.deepEqual(left.sort(), ["rate:someone", "{metrics}:processes"].sort());
});

test.serial("all keys are deleted even if one scan does not return them all", async (t) => {
  const { redis } = own.system;
  const pipeline = redis.pipeline();
  for (let job = 0; job < 2_500; job += 1) pipeline.set(`${prefixOf("item")}:item:${job}`, "a job");
  await pipeline.exec();
  t.is(await forgetRedis(redis), 2_500);
  t.is(await redis.dbsize(), 0);
});
