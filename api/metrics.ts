import { timingSafeEqual } from "node:crypto";
import Router from "@koa/router";
import type { Middleware } from "koa";
import { EXPOSITION_TYPE } from "../queues/metrics/exposition.ts";
import { CHALLENGE } from "./access/identify.ts";
import { ProblemError } from "./http/problem-error.ts";

export interface MetricsWorld {
  /** A caller with this token may read all metrics, across tenants. Without it there is no `/metrics`. */
  metricsToken?: string | undefined;
  /** Returns the metrics of this process, or of all processes and the installation, in Prometheus's text format. */
  metricsPage(scope: "own" | "all"): Promise<string>;
}

/** `GET /metrics`: this process's metrics; with `?all`, those of every process (docs/operations/monitor.md#metrics). */
export function metrics({ metricsToken, metricsPage }: MetricsWorld): Router {
  const router = new Router({ strict: true, sensitive: true });
  if (metricsToken === undefined) return router;
  const expected = Buffer.from(`Bearer ${metricsToken}`);
  const answer: Middleware = async (context) => {
    const given = Buffer.from(context.get("authorization"));
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
      throw new ProblemError("unauthenticated", "Metrics require the token set in METRICS_TOKEN.", {
        headers: { "www-authenticate": CHALLENGE },
      });
    }
    context.state.isKnown = true;
    context.body = await metricsPage("all" in context.query ? "all" : "own");
    context.set("content-type", EXPOSITION_TYPE);
  };
  router.get("/metrics", answer);
  return router;
}
