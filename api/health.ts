import Router from "@koa/router";
import type { Middleware } from "koa";

interface HealthWorld {
  /** The database's own name and version; throws where it cannot be reached. */
  describeDatabase(): Promise<string>;
  isRedisReady(): boolean;
}

/**
 * `/healthz` is 200 while the process lives. `/readyz` is 200 while MongoDB can be reached, whatever Redis does: without
 * Redis accepted work is delayed, not refused.
 */
export function health({ describeDatabase, isRedisReady }: HealthWorld): Router {
  const healthz: Middleware = async (context) => {
    context.body = { status: "ok" };
  };
  const readyz: Middleware = async (context) => {
    const redis = isRedisReady() ? "ready" : "away: work is delayed";
    try {
      context.body = { status: "ready", mongodb: await describeDatabase(), redis };
    } catch (error) {
      context.status = 503;
      context.body = { status: "not ready", mongodb: `away: ${(error as Error).message}`, redis };
    }
  };
  const router = new Router({ strict: true, sensitive: true });
  router.get("/healthz", healthz as never);
  router.get("/readyz", readyz as never);
  return router;
}
