import { timingSafeEqual } from "node:crypto";
import Router from "@koa/router";
import type { Middleware } from "koa";
import { LabelReports } from "../schemas/label-server.ts";
import { compileCheck } from "../schemas/validate.ts";
import { limits } from "./http/limits.ts";
import { ProblemError } from "./http/problem-error.ts";
import { CHALLENGE } from "./middleware/authenticate.ts";
import { readJson } from "./middleware/read-json.ts";

interface LabelReportsWorld {
  secret: string;
  /** Enqueues reports for the transmitter; false where Redis did not take them. */
  enqueueReports(reports: LabelReports): Promise<boolean>;
}

/**
 * `POST /label-server/v1/reports`: label servers report acknowledged and failed transmissions, and retry after a 503
 * (docs/operations.md#what-a-label-server-is-told).
 */
export function labelReports({ secret, enqueueReports }: LabelReportsWorld): Router {
  const check = compileCheck(LabelReports);
  const expected = Buffer.from(`Bearer ${secret}`);
  const isSecret = (header: string): boolean => {
    const given = Buffer.from(header);
    return given.length === expected.length && timingSafeEqual(given, expected);
  };

  const requireSecret: Middleware = async (context, next) => {
    if (!isSecret(context.get("authorization"))) {
      throw new ProblemError("unauthenticated", "The label server's secret is not right.", {
        headers: { "www-authenticate": CHALLENGE },
      });
    }
    await next();
  };
  const accept: Middleware = async (context) => {
    const errors = check(context.request.body);
    if (errors.length > 0) throw new ProblemError("invalid-request", "The reports are not valid.", { errors });
    if (!(await enqueueReports(context.request.body as LabelReports))) {
      throw new ProblemError("unavailable", "Reports cannot be taken now. Report them again.", {
        headers: { "retry-after": "2" },
      });
    }
    context.status = 204;
  };

  const router = new Router({ strict: true, sensitive: true });
  router.post(
    "/label-server/v1/reports",
    requireSecret as never,
    ...(readJson(limits.reports.maxBytes) as never[]),
    accept as never,
  );
  return router;
}
