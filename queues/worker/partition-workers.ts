import type { Worker } from "bullmq";
import type { Redis } from "ioredis";
import { MAX_QUEUE_PARTITIONS, partitionsOfQueue, type QueuePartition } from "../queue-partitions.ts";
import { onReached, prefixOf, sendTogether } from "../redis.ts";
import type { QueueName } from "../topology.ts";

const POLL_INTERVAL_MS = 30_000;
/** Where BullMQ stores the ids of jobs that are not done. */
const UNFINISHED = ["wait", "prioritized", "delayed", "active"];

interface Dependencies {
  redis: Redis;
  /** QUEUE_PARTITIONS. */
  queuePartitions: number;
  /** Starts taking the jobs of a partition. */
  open(partition: QueuePartition): Pick<Worker, "close">;
  onRedisError(error: Error): void;
  pollIntervalMs?: number;
}

/**
 * Takes the jobs of all partitions of a queue, and of the additional partitions that processes with a larger QUEUE_PARTITIONS
 * have filled, as long as these have jobs (docs/architecture/queues.md#partitions-of-queues).
 */
export function startPartitionWorkers(queue: QueueName, dependencies: Dependencies): { close(): Promise<void> } {
  const { redis, queuePartitions, open, onRedisError, pollIntervalMs = POLL_INTERVAL_MS } = dependencies;
  const own = partitionsOfQueue(queue, queuePartitions);
  const workers = own.map(open);
  const further = partitionsOfQueue(queue, MAX_QUEUE_PARTITIONS).slice(own.length);
  const draining = new Map<QueuePartition, Pick<Worker, "close">>();
  let isClosed = false;

  async function look(): Promise<void> {
    if (isClosed || redis.status !== "ready") return;
    const counts = await sendTogether(redis, further.map(countUnfinished));
    if (isClosed) return;
    for (const [index, partition] of further.entries()) {
      const worker = draining.get(partition);
      if (counts[index] !== 0 && worker === undefined) draining.set(partition, open(partition));
      if (counts[index] === 0 && worker !== undefined) {
        draining.delete(partition);
        await worker.close();
      }
    }
  }

  const lookCalmly = () => void look().catch(onRedisError);
  lookCalmly();
  onReached(redis, lookCalmly);
  const timer = setInterval(lookCalmly, pollIntervalMs);
  return {
    async close() {
      isClosed = true;
      clearInterval(timer);
      await Promise.all([...workers, ...draining.values()].map((worker) => worker.close()));
    },
  };
}

/** Returns the command that checks whether a partition has unfinished jobs. */
const countUnfinished = (partition: QueuePartition): [name: string, key: string, ...rest: string[]] => {
  const [key = "", ...keys] = UNFINISHED.map((state) => `${prefixOf(partition)}:${partition}:${state}`);
  return ["exists", key, ...keys];
};
