import { randomUUID } from "node:crypto";
import type { Logger } from "pino";
import { openDatabase } from "../records/client.ts";
import { openDatabaseClock } from "../records/database-clock.ts";
import { connectionNameOf } from "../runtime/log.ts";
import { createMetrics } from "./metrics/metrics.ts";
import { watchDatabase, watchRedis } from "./metrics/watch-databases.ts";
import { databaseFault } from "./reach-databases.ts";
import { logCalmly, openRedis, type RedisSettings } from "./redis.ts";

interface DatabaseSettings extends RedisSettings {
  MONGODB_URL: string;
  MONGODB_DATABASE: string;
}

/**
 * Opens a process's connections to MongoDB and Redis, and its clocks; counts and logs faults of the connections. A database
 * operation fails after `databaseTimeoutMs` without a response, and a Redis command after `redisPatienceMs`, if that is set.
 */
export function openConnections(
  settings: DatabaseSettings,
  log: Logger,
  databaseTimeoutMs: number,
  redisPatienceMs?: number,
) {
  const now = () => new Date();
  const clock = () => performance.now();
  const reasonOf = (error: Error) => databaseFault(error, settings) ?? error.message;
  const onError = logCalmly(log, clock, reasonOf);
  const name = connectionNameOf(log);
  const { db, close } = openDatabase(settings.MONGODB_URL, settings.MONGODB_DATABASE, databaseTimeoutMs, name);
  const redis = openRedis(settings, name, redisPatienceMs);
  redis.on("error", onError("redis"));
  const metrics = createMetrics();
  watchDatabase(db.client, metrics, clock);
  watchRedis(redis, metrics, clock);
  const databaseClock = openDatabaseClock(db, now, clock, onError("clock"));
  void databaseClock.synchronize().catch(onError("clock"));
  return {
    db,
    closeDatabase: close,
    redis,
    metrics,
    /** Names this process in leases. */
    holder: randomUUID(),
    now,
    clock,
    /** The database's time. Work that is due at this time is due immediately in all processes. */
    databaseNow: databaseClock.now,
    onError,
    /** Says what went wrong, worded for the log; for a database fault, includes the setting, the host and the remedy. */
    reasonOf,
  };
}
