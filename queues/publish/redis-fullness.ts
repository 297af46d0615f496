import type { Redis } from "ioredis";
import type { Urgency } from "../../schemas/urgency.ts";
import { FULL_RATIO, fillOf, readFullestMemory } from "../redis-memory.ts";

const POLL_INTERVAL_MS = 1000;
/** The fraction of its `maxmemory` above which Redis counts as full for jobs; interactive jobs have additional room. */
const FULL_FOR: Readonly<Record<Urgency, number>> = { bulk: FULL_RATIO, interactive: 0.85 };
/** Number of jobs that a partition of a queue may hold while Redis is full, so that its worker always has some to process. */
const MAX_DEPTH_WHEN_FULL = 50;

/**
 * Reads the fraction of `maxmemory` that Redis, or a cluster's fullest node, uses; 0 without `maxmemory`. Reads at most once a
 * second.
 */
export function createFill(nodes: () => readonly Pick<Redis, "info">[], clock: () => number): () => Promise<number> {
  let readAt = Number.NEGATIVE_INFINITY;
  let fill = 0;

  async function readMemory(): Promise<void> {
    readAt = clock();
    fill = fillOf(await readFullestMemory(nodes()));
  }

  return async () => {
    if (clock() - readAt >= POLL_INTERVAL_MS) await readMemory();
    return fill;
  };
}

/** Whether Redis is too full for anything but interactive work. */
export const createFullness = (fill: () => Promise<number>) => async (): Promise<boolean> =>
  (await fill()) > FULL_RATIO;

/**
 * Whether jobs must wait in MongoDB: bulk jobs above 70% of `maxmemory`, interactive jobs above 85%. A full Redis would reject
 * even the commands that empty a queue. The sweep feeds queues that are nearly empty. `depth` counts a partition's waiting
 * jobs: all of them before a bulk job is added, but only the interactive jobs before an interactive job is added.
 */
export const createBackpressure =
  <Queue>(fill: () => Promise<number>, depth: (queue: Queue, urgency: Urgency) => Promise<number>) =>
  async (queue: Queue, urgency: Urgency): Promise<boolean> =>
    (await fill()) > FULL_FOR[urgency] && (await depth(queue, urgency)) >= MAX_DEPTH_WHEN_FULL;
