import type { Middleware } from "koa";

/**
 * Sets headers on every response, so that no cache or browser stores it unless the response says otherwise, and no
 * browser interprets it as a different type.
 */
export const guardAnswers: Middleware = async (context, next) => {
  context.set("x-content-type-options", "nosniff");
  await next();
  if (!context.response.get("cache-control")) context.set("cache-control", "private, no-store");
};
