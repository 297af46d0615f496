import type { Context, Middleware } from "koa";
import { httpMethods, httpRoutes } from "../../queues/metrics/definitions.ts";
import type { Metrics } from "../../queues/metrics/metrics.ts";

const classes = ["2xx", "3xx", "4xx", "5xx"] as const;

type Route = (typeof httpRoutes)[number];
type Method = (typeof httpMethods)[number];

/** Counts responses by method, route and status class, and measures how long each took. */
export function countAnswers({ count, observe }: Pick<Metrics, "count" | "observe">, clock: () => number): Middleware {
  return async (context, next) => {
    const began = clock();
    try {
      await next();
    } finally {
      const status = classes[Math.floor(context.status / 100) - 2];
      if (status !== undefined) {
        const method = httpMethods.find((one) => one === context.method) ?? ("other" satisfies Method);
        count("shelfwire_http_answers_total", { method, route: httpRouteOf(matchedRoute(context as Context)), status });
      }
      observe("shelfwire_http_answer_seconds", {}, (clock() - began) / 1000);
    }
  };
}

/** Returns the pattern of a call's path; undefined if no operation matches it. */
export function matchedRoute(context: Context): string | undefined {
  const { _matchedRoute: route } = context as { _matchedRoute?: unknown };
  return typeof route === "string" ? route : undefined;
}

const known: ReadonlySet<string> = new Set(httpRoutes);
const others: readonly (readonly [RegExp, Route])[] = [
  [/^\/t\/:tenantId\/api\/management\//, "management"],
  [/^\/api\/platform\//, "platform"],
  [/^\/label-server\//, "label-server"],
  [/\/auth\/v1\/login$/, "login"],
  [/^\/(healthz|readyz|metrics)$/, "probes"],
];

/** Returns the part of the interface that a path pattern belongs to. */
export function httpRouteOf(pattern: string | undefined): Route {
  const [, noun = ""] = /\/api\/public\/core\/v1\/([\w-]+)/.exec(pattern ?? "") ?? [];
  if (noun.endsWith("-result")) return "results";
  if (known.has(noun)) return noun as Route;
  return others.find(([form]) => pattern !== undefined && form.test(pattern))?.[1] ?? "other";
}
