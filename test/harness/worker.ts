import type { ExecutionContext } from "ava";
import { pino } from "pino";
import { openFailures } from "../../queues/changes/failures.ts";
import { openWorkerRedis } from "../../queues/redis.ts";
import { type Handlers, type JobHandler, type QueueName, rowOf } from "../../queues/topology.ts";
import { type RunningWorker, startWorker } from "../../queues/worker/worker.ts";
import type { RequestChunk } from "../../schemas/jobs.ts";
import type { Change } from "../../schemas/topics.ts";
import type { Urgency } from "../../schemas/urgency.ts";
import type { ASystem } from "./system.ts";

/** Starts a queue's worker with the test's own handlers, and with parts that replace the system's; it ends with the test. */
export function startAWorker<Q extends QueueName>(
  t: ExecutionContext,
  { databases, system }: ASystem,
  queue: Q,
  handlers: Handlers<Q>,
  given: Partial<Parameters<typeof startWorker>[2]> = {},
): RunningWorker {
  const redis = openWorkerRedis({ REDIS_URL: databases.redis.url });
  // After a pause, a connection whose response has arrived would count as silent. Its replacement would repeat the command that
  // takes a job, and the job that was taken first would stay locked. BullMQ's duplicates inherit the limit.
  Object.assign(redis.options, { socketTimeout: 600_000 });
  redis.on("error", () => {});
  t.teardown(() => redis.disconnect());
  const worker = startWorker(queue, handlers, {
    ...system,
    redis,
    failures: openFailures(queue, system),
    onRedisError: () => {},
    log: pino({ level: "silent" }),
    random: () => 0,
    // A slow machine must not make a job run twice.
    lockMs: 600_000,
    ...given,
  });
  // Ends last, because the teardown that was registered first runs last.
  t.teardown(() => worker.close());
  return worker;
}

/** Returns one handler for every job of the item queue. */
export const itemHandlers = (handler: JobHandler<RequestChunk>): Handlers<"item"> =>
  Object.fromEntries(Object.keys(rowOf("item").jobs).map((job) => [job, handler])) as unknown as Handlers<"item">;

export const change = (key: string, urgency: Urgency = "bulk"): Change => ({
  key,
  rev: 1,
  operation: "UPDATED",
  changed: ["image"],
  urgency,
});

/** Returns a job that carries changes of one topic. */
export const changesJob = (name: string, keys: readonly string[], urgency: Urgency = "bulk") => ({
  name,
  data: { changes: keys.map((key) => change(key, urgency)) },
  urgency,
});
