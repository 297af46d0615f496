import type { Redis } from "ioredis";
import type { QueueName } from "../topology.ts";

const FULL = 0.7;
const POLL_INTERVAL_MS = 1000;
/** Jobs a queue may hold while Redis is full, so that its worker does not run dry. */
const MAX_DEPTH_WHEN_FULL = 50;

/**
 * Whether bulk work must wait in the database: above 70 % of Redis's `maxmemory` only interactive
 * work is enqueued, and the sweeps feed the rest to queues that are nearly empty. With no
 * `maxmemory` set Redis is never full.
 */
export function createBackpressure(redis: Redis, clock: () => number, depth: (queue: QueueName) => Promise<number>) {
  let lookedAt = Number.NEGATIVE_INFINITY;
  let full = false;

  async function look(): Promise<void> {
    lookedAt = clock();
    const memory = await redis.info("memory");
    const read = (name: string): number => Number(new RegExp(`^${name}:(\\d+)`, "m").exec(memory)?.[1] ?? 0);
    const most = read("maxmemory");
    full = most > 0 && read("used_memory") > most * FULL;
  }

  return async (queue: QueueName): Promise<boolean> => {
    if (clock() - lookedAt >= POLL_INTERVAL_MS) await look();
    return full && (await depth(queue)) >= MAX_DEPTH_WHEN_FULL;
  };
}
