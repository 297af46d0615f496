import type { Logger } from "pino";
import type { QueuePartition } from "../queue-partitions.ts";
import { prefixOf } from "../redis.ts";

const POLL_INTERVAL_MS = 30_000;

/** The counts of a queue in Redis. */
interface Counts {
  llen(key: string): Promise<number>;
  zcard(key: string): Promise<number>;
  hexists(key: string, field: string): Promise<number>;
}

interface Dependencies {
  /** A partition of the queue: work of the others must not hide that it has stalled. */
  queue: QueuePartition;
  /** Separate from the worker's connection, which may itself hang. */
  redis: Counts;
  /** Number of jobs that the worker has finished or postponed so far. */
  progress(): number;
  /** Ends the process, so that the platform starts another. */
  end(): void;
  log: Logger;
}

/** Ends a process whose queue has waiting jobs while two checks in a row find no job finished or postponed. */
export function startWatchdog({ queue, redis, progress, end, log }: Dependencies): { stop(): void } {
  let last = progress();
  let idleChecks = 0;
  const check = async () => {
    const present = progress();
    const stuck = present === last && (await takeableJobs(redis, queue)) > 0;
    last = present;
    idleChecks = stuck ? idleChecks + 1 : 0;
    if (idleChecks < 2) return;
    log.fatal(
      { queue },
      "jobs are waiting but none is completed: the process exits so that the platform starts a new one",
    );
    end();
  };
  const timer = setInterval(() => {
    check().catch((error: Error) => log.warn({ queue, error: error.message }, "the watchdog could not read its queue"));
  }, POLL_INTERVAL_MS);
  return { stop: () => clearInterval(timer) };
}

/** Number of jobs that a worker could take. Those of a paused queue wait on purpose, and are not counted. */
export async function takeableJobs(redis: Counts, queue: QueuePartition): Promise<number> {
  const key = `${prefixOf(queue)}:${queue}`;
  const [waiting, prioritized, paused] = await Promise.all([
    redis.llen(`${key}:wait`),
    redis.zcard(`${key}:prioritized`),
    redis.hexists(`${key}:meta`, "paused"),
  ]);
  return paused === 1 ? 0 : waiting + prioritized;
}
