import type { Redis } from "ioredis";
import type { Logger } from "pino";
import { REFUSED_CODE } from "../runtime/end-where-refused.ts";
import { redisMisfits, unreachableDatabases } from "./reach-databases.ts";
import { onceReady, type RedisSettings } from "./redis.ts";
import type { SystemSettings } from "./system.ts";

type Settings = Pick<SystemSettings, "MONGODB_URL" | keyof RedisSettings> & { NODE_ENV: string };

/**
 * Logs, when a process starts, which database cannot be reached and why. The process keeps running: it needs no restart once the
 * databases are available. In production, it exits if Redis would evict jobs.
 */
export function checkDatabases({ redis, log }: { redis: Redis; log: Logger }, settings: Settings): void {
  const logFailed = (error: Error) => log.warn({ error: error.message }, "the databases could not be checked");
  void sayUnreachable(redis, log, settings).catch(logFailed);
  void refuseMisfits(redis, log, settings).catch(logFailed);
}

async function sayUnreachable(redis: Redis, log: Logger, settings: Settings): Promise<void> {
  for (const fault of await unreachableDatabases(redis, settings)) log.error(fault);
}

async function refuseMisfits(redis: Redis, log: Logger, settings: Settings): Promise<void> {
  await onceReady(redis);
  const { evicts, isFull } = await redisMisfits(redis, settings);
  if (isFull !== undefined) log.warn(isFull);
  if (evicts === undefined) return;
  if (settings.NODE_ENV !== "production") return log.warn(evicts);
  log.fatal(evicts);
  process.exit(REFUSED_CODE);
}
