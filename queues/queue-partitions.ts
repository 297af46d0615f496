import { type QueueName, rowOf } from "./topology.ts";

/**
 * A part of a queue: a BullMQ queue with its own keys and, in Redis Cluster, its own slot. The first partition has the queue's
 * name, so that a queue with one partition is the same as an undivided queue.
 */
export type QueuePartition = QueueName | `${QueueName}-${number}`;

/** Maximum of QUEUE_PARTITIONS, since each process has a blocking connection for each partition of its queue. */
export const MAX_QUEUE_PARTITIONS = 16;

/** Returns the partitions of a queue if QUEUE_PARTITIONS is `count`. */
export function partitionsOfQueue(queue: QueueName, count: number): [QueuePartition, ...QueuePartition[]] {
  const further = Array.from(
    { length: countOf(queue, count) - 1 },
    (_, index): QueuePartition => `${queue}-${index + 1}`,
  );
  return [queue, ...further];
}

/** Returns the partition with the jobs of a store or a tenant, by its key. */
export function partitionOfJobs(queue: QueueName, owner: string, count: number): QueuePartition {
  const partitions = countOf(queue, count);
  // A shortcut: this is called for each change, and most installations have one partition.
  const index = partitions === 1 ? 0 : hash(owner) % partitions;
  return index === 0 ? queue : `${queue}-${index}`;
}

/**
 * Returns the number of a queue's partitions. A queue whose jobs run individually is not divided: its jobs are few, and each
 * process limits how many run at the same time. A queue whose changes do not come through Redis is not divided either.
 */
function countOf(queue: QueueName, count: number): number {
  const { concurrency, observes } = rowOf(queue);
  return concurrency === undefined && observes === undefined ? count : 1;
}

/** FNV-1a. Processes of different releases must agree, so this function never changes. */
function hash(key: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < key.length; index += 1) value = Math.imul(value ^ key.charCodeAt(index), 0x01000193);
  return (value ^ (value >>> 15)) >>> 0;
}
