import type { Logger } from "pino";
import type { QueuePartition } from "../queue-partitions.ts";
import { prefixOf } from "../redis.ts";

const POLL_INTERVAL_MS = 30_000;
/** After a check that runs this late, the count begins again: the process could not run, or its timers were delayed. */
const LATE_MS = 5_000;
/**
 * These checks span at least a minute in which no job ended: jobs found by the first check may have just arrived. A batch may
 * wait for several commands of a slow database, each with a time limit of 20 seconds.
 */
const MAX_IDLE_CHECKS = 3;

/** The counts of a queue in Redis. */
interface Counts {
  llen(key: string): Promise<number>;
  zcard(key: string): Promise<number>;
  hexists(key: string, field: string): Promise<number>;
}

interface Dependencies {
  /** A partition of a queue: work in other partitions must not hide that this one has stalled. */
  queue: QueuePartition;
  /** Separate from the worker's connection, which may itself hang. */
  redis: Counts;
  /** Number of jobs that the worker has finished, postponed or seen fail so far. */
  progress(): number;
  /** Ends the process, so that the platform starts another one. */
  end(): void;
  /** A monotonic clock, in milliseconds. */
  clock(): number;
  log: Logger;
}

/**
 * Ends a process if jobs are waiting in its queue but three checks in a row find that no job has ended. A failed job counts as
 * ended, since another process would do no better.
 */
export function startWatchdog({ queue, redis, progress, end, clock, log }: Dependencies): { stop(): void } {
  let last = progress();
  let checkedAt = clock();
  let idleChecks = 0;
  const check = async () => {
    const present = progress();
    const isLate = clock() - checkedAt > POLL_INTERVAL_MS + LATE_MS;
    checkedAt = clock();
    const waiting = present === last && !isLate ? await takeableJobs(redis, queue) : 0;
    last = present;
    idleChecks = waiting > 0 ? idleChecks + 1 : 0;
    if (idleChecks < MAX_IDLE_CHECKS) return;
    const active = await redis.llen(`${prefixOf(queue)}:${queue}:active`);
    log.fatal(
      { queue, waiting, active, ended: present },
      "jobs are waiting but none is completed: the process exits so that the platform starts a new one",
    );
    end();
  };
  const timer = setInterval(() => {
    check().catch((error: Error) => log.warn({ queue, error: error.message }, "the watchdog could not read its queue"));
  }, POLL_INTERVAL_MS);
  return { stop: () => clearInterval(timer) };
}

/** Counts the jobs that a worker could take. Jobs in a paused queue wait on purpose, and are not counted. */
export async function takeableJobs(redis: Counts, queue: QueuePartition): Promise<number> {
  const key = `${prefixOf(queue)}:${queue}`;
  const [waiting, prioritized, paused] = await Promise.all([
    redis.llen(`${key}:wait`),
    redis.zcard(`${key}:prioritized`),
    redis.hexists(`${key}:meta`, "paused"),
  ]);
  return paused === 1 ? 0 : waiting + prioritized;
}
