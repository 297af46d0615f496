import Koa, { type Context, type Middleware } from "koa";
import type { Logger } from "pino";
import type { Metrics } from "../queues/metrics/metrics.ts";
import type { Tracing } from "../queues/tracing/tracing.ts";
import { clientAddress } from "./access/client-address.ts";
import { type LoginWorld, login } from "./access/login/login.ts";
import type { RecallCaller } from "./access/recall-caller.ts";
import { type DashboardWorld, dashboard } from "./dashboard/dashboard.ts";
import { health } from "./health.ts";
import { hasCallerLeft } from "./http/caller-left.ts";
import { ProblemError } from "./http/problem-error.ts";
import { problemPages } from "./http/problem-pages.ts";
import type { Route } from "./http/route.ts";
import { labelReports } from "./label-reports.ts";
import { linkedPictures } from "./labels/picture-links/linked-pictures.ts";
import { type MetricsWorld, metrics } from "./metrics.ts";
import { answerProblems } from "./middleware/answer-problems.ts";
import { underPath } from "./middleware/base-path.ts";
import { checkHeaders } from "./middleware/check-headers.ts";
import { checkPath } from "./middleware/check-path.ts";
import { compress } from "./middleware/compress.ts";
import { createCors } from "./middleware/cors.ts";
import { countAnswers } from "./middleware/count-answers.ts";
import { type Limit, limitCalls } from "./middleware/enforce-rate-limit.ts";
import { guardAnswers } from "./middleware/guard-answers.ts";
import { logRequests } from "./middleware/log-requests.ts";
import { type LocateStore, storeHosts } from "./middleware/store-hosts.ts";
import { toleratePath } from "./middleware/tolerate-path.ts";
import { mountRoutes } from "./mount.ts";
import { linkPages } from "./notifications/link-pages.ts";
import { documents } from "./openapi/serve-document.ts";
import { type PagesWorld, pagesRouter } from "./pages/pages.ts";
import { proofFiles } from "./proofs/proof-files.ts";
import { reachability } from "./running-page.ts";
import { accountPages } from "./session/account-pages.ts";
import { joinPages } from "./session/join-pages.ts";
import { showProblemsAsPages } from "./session/problem-page.ts";
import { providerPages } from "./session/provider/provider-pages.ts";
import { sessionPages } from "./session/session-pages.ts";

type Routers = readonly ReturnType<typeof mountRoutes>[];

type AppWorld = Parameters<typeof mountRoutes>[1] &
  Parameters<typeof health>[0] &
  Parameters<typeof labelReports>[0] &
  LoginWorld &
  DashboardWorld &
  PagesWorld &
  MetricsWorld &
  Parameters<typeof joinPages>[0] &
  Parameters<typeof accountPages>[0] &
  Parameters<typeof proofFiles>[0] &
  Parameters<typeof linkedPictures>[0] & {
    routes: readonly Route[];
    baseDomain?: string | undefined;
    locateStore: LocateStore;
    corsOrigins?: string | undefined;
    /** The rate limit per address for calls without a valid token; absent if they are not limited. */
    strangers?: Limit | undefined;
    recallCaller: RecallCaller;
    metrics: Pick<Metrics, "count" | "observe">;
    beginCall?: Tracing["beginCall"];
    /** Called with each error that caused the response "a database is unavailable". */
    onUnavailable(error: Error): void;
    log: Logger;
    clock(): number;
  };

/** The Koa application without a socket. A request passes through the middleware in the order of the `use` calls. */
export function createApp(world: AppWorld): Koa {
  const { routes, baseDomain, basePath, corsOrigins, strangers, onUnavailable, log } = world;
  const { trustedProxies } = world.login;
  const app = new Koa();
  app.silent = true;
  app.on("error", (error: Error, context?: Context) => {
    const xRequestId = context?.state?.callId;
    if (hasCallerLeft(error)) log.debug({ xRequestId }, "the caller disconnected before the end of the response");
    else log.error({ error, xRequestId }, "sending a response failed");
  });
  app.use(logRequests(world));
  app.use(countAnswers(world.metrics, world.clock));
  app.use(guardAnswers);
  if (corsOrigins) app.use(createCors(corsOrigins));
  app.use(compress());
  app.use(answerProblems(log, onUnavailable));
  app.use(checkHeaders);
  app.use(checkPath);
  if (basePath !== "") app.use(underPath(basePath));
  const addressOf = ({ req }: Context) => clientAddress(req, trustedProxies);
  app.use(limitCalls({ strangers, rateLimits: world.rateLimits, recallCaller: world.recallCaller, addressOf }));
  const documentRouter = documents(routes, basePath);
  // Before storeHosts, because the OpenAPI document is the same at every store's host.
  app.use(documentRouter.routes());
  app.use(toleratePath);
  if (baseDomain) app.use(storeHosts(baseDomain, world.locateStore));
  const operationRouters = [
    health(world),
    metrics(world),
    labelReports(world),
    problemPages(),
    login(world),
    sessionPages(world),
    accountPages(world),
    ...(world.notifications ? [linkPages(world, world.notifications)] : []),
    // If another issuer signs tokens, nobody has a password, so an old invitation must not start a session.
    ...(world.login.issue ? [joinPages(world)] : []),
    ...(world.provider ? [providerPages(world, world.provider)] : []),
    dashboard(world),
    world.assets.router,
    proofFiles(world),
    linkedPictures(world),
    reachability(world),
    pagesRouter(world),
    mountRoutes(routes, world),
  ];
  for (const router of operationRouters) app.use(router.routes());
  // A person who types an address sees a page; a program receives the problem document.
  app.use(showProblemsAsPages(world));
  app.use(answerUnrouted([documentRouter, ...operationRouters]));
  return app;
}

/** Answers what no router has handled: OPTIONS (204), other methods of a known path (405) and unknown paths (404). */
function answerUnrouted(routers: Routers): Middleware {
  return (context) => {
    const methods = methodsOf(routers, context.path);
    if (methods.length === 0) throw new ProblemError("unknown-path", `The path ${context.path} does not exist.`);
    const allow = [...methods, "OPTIONS"].sort().join(", ");
    if (context.method !== "OPTIONS") {
      throw new ProblemError("method-not-allowed", `${context.path} supports ${allow}, not ${context.method}.`, {
        headers: { allow },
      });
    }
    context.status = 204;
    context.set("allow", allow);
  };
}

function methodsOf(routers: Routers, path: string): string[] {
  const layers = routers.flatMap((router) => router.stack.filter((layer) => layer.match(path)));
  return [...new Set(layers.flatMap((layer) => layer.methods))];
}
