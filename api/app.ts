import Koa from "koa";
import type { Logger } from "pino";
import { documents } from "./documents.ts";
import { health } from "./health.ts";
import { labelReports } from "./label-reports.ts";
import { logRequests } from "./middleware/log-requests.ts";
import { answerProblems } from "./middleware/problems.ts";
import { storeHosts } from "./middleware/store-hosts.ts";
import { mountRoutes } from "./mount.ts";
import { ProblemError } from "./problem-error.ts";
import type { Route } from "./route.ts";

type Dependencies = Parameters<typeof mountRoutes>[1] &
  Parameters<typeof health>[0] &
  Parameters<typeof labelReports>[0] & {
    routes: readonly Route[];
    baseDomain?: string | undefined;
    log: Logger;
    clock(): number;
  };

/** The API without a socket: what a request meets, from the outside in. */
export function createApp(dependencies: Dependencies): Koa {
  const { routes, baseDomain, log, clock } = dependencies;
  const app = new Koa();
  app.silent = true;
  app.on("error", (error: Error) => log.error({ error }, "an answer failed"));
  app.use(logRequests(log, clock));
  app.use(answerProblems(log));
  const described = documents(routes);
  // Ahead of the hosts of stores: the description is the same at each of them.
  app.use(described.routes() as never);
  if (baseDomain) app.use(storeHosts(baseDomain));
  const others = [health(dependencies), labelReports(dependencies), mountRoutes(routes, dependencies)];
  for (const router of others) app.use(router.routes() as never);
  const routers = [described, ...others];
  app.use((context) => {
    const allowed = allowedMethods(routers, context.path);
    if (allowed.length === 0) throw new ProblemError("not-found", `There is nothing at ${context.path}.`);
    const allow = allowed.join(", ");
    throw new ProblemError("method-not-allowed", `${context.path} has ${allow}, not ${context.method}.`, {
      headers: { allow },
    });
  });
  return app;
}

function allowedMethods(routers: readonly ReturnType<typeof mountRoutes>[], path: string): string[] {
  const layers = routers.flatMap((router) => router.stack.filter((layer) => layer.match(path)));
  return [...new Set(layers.flatMap((layer) => layer.methods))].sort();
}
