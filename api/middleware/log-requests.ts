import { randomUUID } from "node:crypto";
import type { Middleware } from "koa";
import type { Logger } from "pino";

const REQUEST_ID_PATTERN = /^[\w.-]{1,128}$/;

/** Gives each request an id (a valid X-Request-Id, or a new UUID) and logs its status. Bodies and tokens are not logged. */
export function logRequests(log: Logger, clock: () => number): Middleware {
  return async (context, next) => {
    const given = context.get("x-request-id");
    const requestId = REQUEST_ID_PATTERN.test(given) ? given : randomUUID();
    const began = clock();
    context.state.requestId = requestId;
    context.set("x-request-id", requestId);
    try {
      await next();
    } finally {
      const { method, path, status } = context;
      const fields = {
        requestId,
        method,
        path,
        status,
        milliseconds: Math.round(clock() - began),
        accepted: context.state.accepted,
      };
      if (status >= 500) log.warn(fields, "request");
      else log.debug(fields, "request");
    }
  };
}
