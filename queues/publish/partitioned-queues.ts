import { type JobType, Queue } from "bullmq";
import type { Redis } from "ioredis";
import { partitionOfJobs, partitionsOfQueue } from "../queue-partitions.ts";
import { prefixOf } from "../redis.ts";
import { type QueueName, queueNames } from "../topology.ts";

/** An installation's queues, each with its partitions (docs/architecture/queues.md#partitions-of-queues). */
export interface PartitionedQueues {
  /**
   * Returns the partition with the jobs of a store or tenant, by its key. Without a key, returns the first partition, which is
   * the whole of an undivided queue.
   */
  queue(name: QueueName, owner?: string): Queue;
  /** All partitions of a queue. */
  partitions(name: QueueName): readonly Queue[];
  /** Counts a queue's jobs in each of these states, over all partitions. */
  countJobs<State extends JobType>(name: QueueName, ...states: State[]): Promise<Record<State, number>>;
  close(): Promise<void>;
}

/** Opens the queues; `count` is QUEUE_PARTITIONS. */
export function openPartitionedQueues(redis: Redis, count: number, onError: (error: Error) => void): PartitionedQueues {
  const queues = new Map(
    queueNames.map((name) => {
      const partitions = partitionsOfQueue(name, count).map((partition) => {
        const queue = new Queue(partition, { connection: redis, prefix: prefixOf(partition) });
        queue.on("error", onError);
        return [partition, queue] as const;
      });
      return [name, new Map<string, Queue>(partitions)] as const;
    }),
  );
  const partitions = (name: QueueName): Queue[] => [...(queues.get(name)?.values() ?? [])];

  return {
    queue: (name, owner) =>
      queues.get(name)?.get(owner === undefined ? name : partitionOfJobs(name, owner, count)) as Queue,
    partitions,

    async countJobs(name, ...states) {
      const counts = await Promise.all(partitions(name).map((queue) => queue.getJobCounts(...states)));
      const sum = (state: string) => counts.reduce((total, { [state]: jobs = 0 }) => total + jobs, 0);
      return Object.fromEntries(states.map((state) => [state, sum(state)])) as Record<(typeof states)[number], number>;
    },

    async close() {
      await Promise.all(queueNames.flatMap(partitions).map((queue) => queue.close()));
    },
  };
}
