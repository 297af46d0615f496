import Router from "@koa/router";
import type { Middleware } from "koa";
import type { Logger } from "pino";

interface HealthWorld {
  /** Returns the database's name and version; throws if it cannot be reached. */
  describeDatabase(): Promise<string>;
  isRedisReady(): boolean;
  /** Milliseconds of a monotonic clock. */
  clock(): number;
  /** Describes an error for the log. */
  reasonOf(error: Error): string;
  log: Pick<Logger, "info" | "warn">;
}

/**
 * How long the database's last response is reused, so that unauthenticated calls do not each reach the database.
 */
const READY_TTL_MS = 250;

/**
 * `/healthz` is 200 while the process is running. `/readyz` is 200 while MongoDB is reachable, regardless of the state
 * of Redis, because without Redis accepted work is delayed, not rejected. Neither reveals more to strangers; the log
 * contains the reason.
 */
export function health({ isRedisReady, ...world }: HealthWorld): Router {
  const isDatabaseReady = createDatabaseCheck(world);
  const healthz: Middleware = async (context) => {
    context.body = { status: "ok" };
  };
  const readyz: Middleware = async (context) => {
    const redis = isRedisReady() ? "ready" : "unavailable: work is delayed";
    const isReady = await isDatabaseReady();
    context.status = isReady ? 200 : 503;
    context.body = { status: isReady ? "ready" : "not ready", mongodb: isReady ? "ready" : "away", redis };
  };
  const router = new Router({ strict: true, sensitive: true });
  router.get("/healthz", healthz);
  router.get("/readyz", readyz);
  return router;
}

/** Checks the database once for all calls within READY_TTL_MS, and logs each change in the result. */
function createDatabaseCheck({ describeDatabase, clock, reasonOf, log }: Omit<HealthWorld, "isRedisReady">) {
  let last: { answer: Promise<boolean>; validUntil: number } | undefined;
  let found: boolean | undefined;

  async function ask(): Promise<boolean> {
    try {
      const database = await describeDatabase();
      if (found !== true) log.info({ database }, "the database is available again");
      found = true;
    } catch (error) {
      if (found !== false) log.warn({ error: reasonOf(error as Error) }, "the database is unavailable");
      found = false;
    }
    return found;
  }

  return async () => {
    if (last === undefined || clock() >= last.validUntil) {
      const asked = { answer: ask(), validUntil: Number.POSITIVE_INFINITY };
      last = asked;
      void asked.answer.then(() => {
        asked.validUntil = clock() + READY_TTL_MS;
      });
    }
    return last.answer;
  };
}
