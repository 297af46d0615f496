import { randomUUID } from "node:crypto";
import type { Context, Middleware } from "koa";
import type { Logger } from "pino";
import type { Tracing } from "../../queues/tracing/tracing.ts";
import { withCauses } from "../../runtime/causes.ts";
import type { Cause } from "../../schemas/cause.ts";
import { matchedRoute } from "./count-answers.ts";

const CALL_ID_PATTERN = /^[\w.-]{1,128}$/;
/** Platforms call these paths every few seconds, so their traces would hide the others. */
const UNTRACED_PATHS: ReadonlySet<string> = new Set(["/healthz", "/readyz"]);

interface CallsWorld {
  beginCall?: Tracing["beginCall"];
  log: Logger;
  /** The current time in milliseconds. */
  clock(): number;
}

/**
 * Assigns each call an id (a valid X-Request-Id, or a new UUID), and logs the call's status. Everything that the call causes
 * refers to this id. Bodies, queries and tokens are not logged. A traced call receives its trace id in X-Trace-Id.
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
        span?.end({ method, route: matchedRoute(context as Context), status });
        const fields = { method, path, status, milliseconds: Math.round(clock() - began) };
        if (status >= 500) log.warn(fields, "request");
        else log.debug(fields, "request");
      }
    });
  };
}
