import { Redis } from "ioredis";

const reconnectAfter = (tries: number): number => Math.min(100 * tries, 2000);

/**
 * A connection for commands whose caller can go on without an answer: while Redis is away commands fail at
 * once instead of piling up, and a command without an answer fails after two seconds.
 */
export const openRedis = (url: string): Redis =>
  new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    commandTimeout: 2000,
    retryStrategy: reconnectAfter,
  });

/** A connection for a worker: its commands wait for Redis without a limit. */
export const openWorkerRedis = (url: string): Redis =>
  new Redis(url, { maxRetriesPerRequest: null, retryStrategy: reconnectAfter });

/** Gives an error handler for each named source, which logs the same message at most once a second. */
export function logCalmly(log: { warn(fields: object, message: string): void }, clock: () => number) {
  const loggedAt = new Map<string, number>();
  return (source: string) => (error: Error) => {
    const message = `${source}: ${error.message}`;
    if (clock() - (loggedAt.get(message) ?? 0) < 1000) return;
    loggedAt.set(message, clock());
    log.warn({ source, error: error.message }, "a connection failed");
  };
}

/** The prefix of a queue's keys. The braces are a hash tag: Redis Cluster stores all keys of a queue in one slot. */
export const prefixOf = (queue: string): string => `{${queue}}`;
