import type { Redis } from "ioredis";
import type { ProcessLabels } from "./metrics/definitions.ts";
import { readLivingProcesses } from "./metrics/reporter.ts";
import { type QueueName, queueNames, queuesOf } from "./topology.ts";

/** The number of live processes that serve each queue, at least 1. */
export type ProcessCounts = Readonly<Record<QueueName, number>>;

/** Maximum age of the counts, which change rarely: processes seldom start or end. */
const CACHE_TTL_MS = 5_000;

interface Dependencies {
  redis: Redis;
  now(): Date;
  clock(): number;
  onError(error: Error): void;
}

/**
 * Counts processes by their reports in Redis, which are read at most every five seconds. A killed process counts for up to a
 * minute. While Redis does not respond, the last counts are used.
 */
export function createProcessCounter({ redis, now, clock, onError }: Dependencies): () => Promise<ProcessCounts> {
  let counts = Promise.resolve(countsOf([]));
  let readAt = Number.NEGATIVE_INFINITY;
  return () => {
    if (redis.status !== "ready" || clock() - readAt < CACHE_TTL_MS) return counts;
    readAt = clock();
    const last = counts;
    counts = readLivingProcesses(redis, now()).then(countsOf, (error: Error) => {
      onError(error);
      return last;
    });
    return counts;
  };
}

/** Returns the counts for these live processes; `living` has one entry per process. */
export function countsOf(living: readonly ProcessLabels["process"][]): ProcessCounts {
  const served = living.flatMap(queuesServedBy);
  const count = (queue: QueueName) => served.filter((one) => one === queue).length;
  return Object.fromEntries(queueNames.map((queue) => [queue, Math.max(1, count(queue))])) as ProcessCounts;
}

function queuesServedBy(kind: ProcessLabels["process"]): readonly QueueName[] {
  if (kind === "web") return [];
  return kind === "all" ? queueNames : queuesOf(kind);
}
