import type { Redis } from "ioredis";
import type { Logger } from "pino";
import { prefixOf } from "../redis.ts";
import type { QueueName } from "../topology.ts";

const POLL_INTERVAL_MS = 30_000;

interface Dependencies {
  queue: QueueName;
  /** A connection of its own: the worker's may be what hangs. */
  redis: Redis;
  /** Jobs that the worker finished or put off so far. */
  progress(): number;
  /** Ends the process, so that the platform starts another. */
  end(): void;
  log: Logger;
}

/** Ends a process whose queue has waiting jobs while none was finished or put off for two looks. */
export function startWatchdog({ queue, redis, progress, end, log }: Dependencies): { stop(): void } {
  let last = progress();
  let idleLooks = 0;
  const waitingJobs = async () => {
    const key = `${prefixOf(queue)}:${queue}`;
    const [waiting, prioritized] = await Promise.all([redis.llen(`${key}:wait`), redis.zcard(`${key}:prioritized`)]);
    return waiting + prioritized;
  };
  const look = async () => {
    const present = progress();
    const stuck = present === last && (await waitingJobs()) > 0;
    last = present;
    idleLooks = stuck ? idleLooks + 1 : 0;
    if (idleLooks < 2) return;
    log.fatal({ queue }, "jobs wait and none is finished: this process ends, so that another may start");
    end();
  };
  const timer = setInterval(() => {
    look().catch((error: Error) => log.warn({ queue, error: error.message }, "the watchdog could not look"));
  }, POLL_INTERVAL_MS);
  return { stop: () => clearInterval(timer) };
}
