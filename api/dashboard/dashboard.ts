import Router from "@koa/router";
import type { Middleware } from "koa";
import { outageTexts } from "../../queues/outage.ts";
import type { Permit } from "../access/verify-token.ts";
import { ownOriginPolicy } from "../http/own-origin-policy.ts";
import { ProblemError } from "../http/problem-error.ts";
import { limitRate, type RateLimits } from "../middleware/enforce-rate-limit.ts";
import { showProblemsAsPages } from "../session/problem-page.ts";
import { requireSession } from "../session/require-session.ts";
import type { SessionWorld } from "../session/session-pages.ts";
import { boardNames, READABLE } from "./accessible-board.ts";
import { type BoardWorld, OFFERED_ONLY, openBoard, tidyPage } from "./board.ts";
import { type BoardRights, boardRights, NO_RIGHTS } from "./board-rights.ts";
import { type ActionLog, guardActions } from "./guard-actions.ts";

export type DashboardWorld = BoardWorld &
  SessionWorld & {
    rateLimits: RateLimits;
    /** Reads the keys of tenants, two at most. */
    readTenants(): Promise<readonly string[]>;
    isRedisReady(): boolean;
    log: ActionLog;
  };

const PATH = "/dashboard";
/** Our own styles and script, below the dashboard's path. */
const STYLES = "/own.css";
const SCRIPT = "/own.js";
const OWN_FILES: Readonly<Record<string, { type: string; content: string }>> = {
  [STYLES]: { type: "text/css", content: `${OFFERED_ONLY}${READABLE}` },
  [SCRIPT]: { type: "text/javascript", content: boardNames },
};
/**
 * The styles that components of bull-board's page add: a logo's colours, and hidden scrollbars. They belong to the pinned
 * release; the browser test reports any other as a violation.
 */
const STYLE_HASHES = [
  "'sha256-r2N1TB/gHbBtBZFKg7ejmq1acVSREzucTAEw6ga4hoU='",
  "'sha256-kLmvWqfziFavKtqHqRsb90f006UAK2Dmd0It5Iz2KFA='",
];
/** Only the board's own files may run or be loaded. */
const POLICY = ownOriginPolicy({
  "worker-src": "'self'",
  "style-src": `'self' ${STYLE_HASHES.join(" ")}`,
  "base-uri": "'self'",
});
const FILES_CACHE_CONTROL = "private, max-age=3600";

/** `/dashboard`: the queues, for those who operate them (docs/operations/pages.md#dashboard). */
export function dashboard(world: DashboardWorld): Router {
  const rightsOf = (permit: Permit): Promise<BoardRights> => boardRights(permit, world.readTenants);
  const boards = new Map<boolean, Promise<Middleware>>();
  const boardOf = (isReadOnly: boolean): Promise<Middleware> => {
    const place = { mount: PATH, basePath: `${world.basePath}${PATH}`, isReadOnly };
    const board = boards.get(isReadOnly) ?? openBoard(world, place);
    boards.set(isReadOnly, board);
    return board;
  };

  const enter: Middleware = async (context, next) => {
    // BullMQ's commands wait for Redis without a time limit.
    if (!world.isRedisReady())
      throw new ProblemError("unavailable", outageTexts["redis.away"], { outage: "redis.away" });
    context.state.mayAct = (await rightsOf(context.state.permit)) === "act";
    context.set({ "content-security-policy": POLICY, "referrer-policy": "same-origin" });
    await next();
  };

  const serve: Middleware = async (context) => {
    const own = OWN_FILES[context.path.slice(PATH.length)];
    if (own !== undefined) {
      context.type = own.type;
      context.body = own.content;
      return;
    }
    const board = await boardOf(!context.state.mayAct);
    await board(context, async () => undefined);
    if (typeof context.body === "string" && context.type === "text/html")
      context.body = tidyPage(context.body, `${world.basePath}${PATH}${STYLES}`, `${world.basePath}${PATH}${SCRIPT}`);
    if (context.path.startsWith(`${PATH}/static/`)) context.set("cache-control", FILES_CACHE_CONTROL);
  };

  const router = new Router({ strict: true, sensitive: true });
  const refusal = async (permit: Permit) => ((await rightsOf(permit)) === "none" ? NO_RIGHTS : undefined);
  router.all(
    [PATH, `${PATH}/{*rest}`],
    showProblemsAsPages(world),
    requireSession(world, refusal),
    limitRate(world.rateLimits),
    enter,
    guardActions(world.log, PATH),
    serve,
  );
  return router;
}
