import { randomUUID } from "node:crypto";
import type { Context, Middleware } from "koa";
import type { Logger } from "pino";
import type { Tracing } from "../../queues/tracing/tracing.ts";
import { withCauses } from "../../runtime/causes.ts";
import type { Cause } from "../../schemas/cause.ts";

const CALL_ID_PATTERN = /^[\w.-]{1,128}$/;
/** Platforms ask for these every few seconds: a trace of each would hide the others. */
const UNTRACED_PATHS: ReadonlySet<string> = new Set(["/healthz", "/readyz"]);

interface CallsWorld {
  beginCall?: Tracing["beginCall"];
  log: Logger;
  /** Milliseconds. */
  clock(): number;
}

/**
 * Returns each call an id (a valid X-Request-Id, or a new UUID), which everything that goes back to it names, and logs
 * its status. Bodies, queries and tokens are not logged. A call that is traced is told its trace by X-Trace-Id.
 */
export function logRequests({ beginCall, log, clock }: CallsWorld): Middleware {
  return (context, next) => {
    const given = context.get("x-request-id");
    const call = CALL_ID_PATTERN.test(given) ? given : randomUUID();
    const began = clock();
    const span = UNTRACED_PATHS.has(context.path) ? undefined : beginCall?.(context.get("traceparent"));
    context.state.callId = call;
    context.set("x-request-id", call);
    if (span) context.set("x-trace-id", span.traceId);
    const cause: Cause = { call, ...(span && { trace: span.trace }) };
    return withCauses([cause], async () => {
      try {
        await next();
      } finally {
        const { method, path, status } = context;
        span?.end({ method, route: routeOf(context), status });
        const fields = { method, path, status, milliseconds: Math.round(clock() - began) };
        if (status >= 500) log.warn(fields, "request");
        else log.debug(fields, "request");
      }
    });
  };
}

/** The pattern of the path that the router found; undefined if it found none. */
const routeOf = (context: Context): string | undefined => {
  const { _matchedRoute: route } = context as { _matchedRoute?: unknown };
  return typeof route === "string" ? route : undefined;
};
