import { type QueueName, rowOf } from "./topology.ts";

/**
 * A part of a queue: a BullMQ queue with keys, and in Redis Cluster a slot, of its own. The first has the name of the
 * queue, so that a queue with one partition is one without partitions.
 */
export type QueuePartition = QueueName | `${QueueName}-${number}`;

/** The largest QUEUE_PARTITIONS: each process has a blocking connection for each partition of its queue. */
export const MAX_QUEUE_PARTITIONS = 16;

/** The partitions of a queue if QUEUE_PARTITIONS is `count`. */
export function partitionsOfQueue(queue: QueueName, count: number): [QueuePartition, ...QueuePartition[]] {
  const further = Array.from(
    { length: countOf(queue, count) - 1 },
    (_, index): QueuePartition => `${queue}-${index + 1}`,
  );
  return [queue, ...further];
}

/** The partition with the jobs of a store, or of a tenant, by its key. */
export function partitionOfJobs(queue: QueueName, owner: string, count: number): QueuePartition {
  const partitions = countOf(queue, count);
  // Asked for each change, and most installations have one partition.
  const index = partitions === 1 ? 0 : hash(owner) % partitions;
  return index === 0 ? queue : `${queue}-${index}`;
}

/**
 * Jobs that run alone are few, and how many run at the same time is a limit of the process: their queues are not
 * divided. Nor is one whose changes do not come through Redis.
 */
function countOf(queue: QueueName, count: number): number {
  const { concurrency, observes } = rowOf(queue);
  return concurrency === undefined && observes === undefined ? count : 1;
}

/** FNV-1a. Processes of two releases must agree, so it never changes. */
function hash(key: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < key.length; index += 1) value = Math.imul(value ^ key.charCodeAt(index), 0x01000193);
  return (value ^ (value >>> 15)) >>> 0;
}
