import type { Middleware } from "koa";
import type { Metrics } from "../../queues/metrics/metrics.ts";

const classes = ["2xx", "3xx", "4xx", "5xx"] as const;

/** Counts responses by the class of their status, and measures how long each took. */
export function countAnswers({ count, observe }: Pick<Metrics, "count" | "observe">, clock: () => number): Middleware {
  return async (context, next) => {
    const began = clock();
    try {
      await next();
    } finally {
      const status = classes[Math.floor(context.status / 100) - 2];
      if (status !== undefined) count("shelfwire_http_answers_total", { status });
      observe("shelfwire_http_answer_seconds", {}, (clock() - began) / 1000);
    }
  };
}
