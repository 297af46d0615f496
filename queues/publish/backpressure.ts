import type { Redis } from "ioredis";
import { fillOf, readFullestMemory } from "../redis-memory.ts";
import type { QueueName } from "../topology.ts";

const FULL_RATIO = 0.7;
const POLL_INTERVAL_MS = 1000;
/** Jobs that a queue may hold while Redis is full, so that its worker always has some to handle. */
const MAX_DEPTH_WHEN_FULL = 50;

/** Whether Redis, or a node of it, is full: above 70 % of its `maxmemory`. Without `maxmemory` it counts as never full. */
export function createFullness(
  nodes: () => readonly Pick<Redis, "info">[],
  clock: () => number,
): () => Promise<boolean> {
  let readAt = Number.NEGATIVE_INFINITY;
  let full = false;

  async function readMemory(): Promise<void> {
    readAt = clock();
    full = fillOf(await readFullestMemory(nodes())) > FULL_RATIO;
  }

  return async () => {
    if (clock() - readAt >= POLL_INTERVAL_MS) await readMemory();
    return full;
  };
}

/**
 * Whether bulk jobs must wait in MongoDB: while Redis is full only interactive jobs are enqueued, and the sweep enqueues
 * bulk jobs for queues that are nearly empty.
 */
export const createBackpressure =
  (isFull: () => Promise<boolean>, depth: (queue: QueueName) => Promise<number>) =>
  async (queue: QueueName): Promise<boolean> =>
    (await isFull()) && (await depth(queue)) >= MAX_DEPTH_WHEN_FULL;
