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
  /** Hands reports to the transmitter; false where Redis did not take them. */
  enqueueReports(reports: LabelReports): Promise<boolean>;
}

/** Where label servers report what became of pictures (design, section 10). They report again what was not taken. */
export function labelReports({ secret, enqueueReports }: LabelReportsWorld): Router {
  const check = compileCheck(LabelReports);
  const expected = Buffer.from(`Bearer ${secret}`);
  const isKnown = (header: string): boolean => {
    const given = Buffer.from(header);
    return given.length === expected.length && timingSafeEqual(given, expected);
  };

  const refuseStrangers: Middleware = async (context, next) => {
    if (!isKnown(context.get("authorization"))) {
      throw new ProblemError("unauthenticated", "The label server's secret is not right.", {
        headers: { "www-authenticate": CHALLENGE },
      });
    }
    await next();
  };
  const take: Middleware = async (context) => {
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
    refuseStrangers as never,
    ...(readJson(limits.reports.maxBytes) as never[]),
    take as never,
  );
  return router;
}
