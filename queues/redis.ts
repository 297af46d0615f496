import { Redis } from "ioredis";

const reconnectAfter = (tries: number): number => Math.min(100 * tries, 2000);

/**
 * A connection for commands whose caller can do without an answer: while Redis is away they fail at
 * once instead of piling up, and what hangs fails after two seconds.
 */
export const openRedis = (url: string): Redis =>
  new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    commandTimeout: 2000,
    retryStrategy: reconnectAfter,
  });

/** A connection for a worker, which waits for Redis as long as it takes. */
export const openWorkerRedis = (url: string): Redis =>
  new Redis(url, { maxRetriesPerRequest: null, retryStrategy: reconnectAfter });

/** Logs the errors of a connection, or of anything that uses one, at most once a second a message. */
export function logCalmly(log: { warn(fields: object, message: string): void }, clock: () => number) {
  const loggedAt = new Map<string, number>();
  return (source: string) => (error: Error) => {
    const message = `${source}: ${error.message}`;
    if (clock() - (loggedAt.get(message) ?? 0) < 1000) return;
    loggedAt.set(message, clock());
    log.warn({ source, error: error.message }, "a connection failed");
  };
}

/** Redis Cluster keeps a queue's keys together by the name in braces. */
export const prefixOf = (queue: string): string => `{${queue}}`;
