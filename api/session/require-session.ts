import type { Context, Middleware } from "koa";
import type { Permit } from "../access/verify-token.ts";
import { ProblemError } from "../http/problem-error.ts";
import { asksForPage } from "./problem-page.ts";
import { refuseForeign } from "./same-origin.ts";
import { sessionIdOf } from "./session-cookie.ts";
import { askLogin, type SessionWorld } from "./session-pages.ts";

/**
 * Passes a browser with a session, with its rights in `state.permit`. A request for a page without a session, or for a
 * page that the session may not see, receives the login page; `refusal` is the reason, if any. A call from a page's
 * script is rejected instead. A request that would change something must come from a page of this origin.
 */
export function requireSession(
  world: SessionWorld,
  refusal: (permit: Permit) => Promise<string | undefined>,
): Middleware {
  const { sessions, basePath } = world;
  return async (context, next) => {
    const isPage = context.method === "GET" && asksForPage(context as Context);
    const id = sessionIdOf(context.req);
    const permit = id === undefined ? undefined : await sessions.read(id);
    if (permit === undefined) {
      if (isPage) return askLogin(context as Context, world, 401);
      throw new ProblemError("unauthenticated", `Log in at ${basePath}/login first.`);
    }
    const reason = await refusal(permit);
    if (reason !== undefined) {
      if (isPage) return askLogin(context as Context, world, 403, reason);
      throw new ProblemError("forbidden", reason);
    }
    context.state.permit = permit;
    if (context.method === "GET" || context.method === "HEAD") return next();
    return refuseForeign(context, next);
  };
}
