import Router from "@koa/router";
import type { Context, Middleware } from "koa";
import { staticAnswer } from "./http/answers/static-answer.ts";

const page = (basePath: string) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Shelfwire</title>
<p>Shelfwire is running. Its API is documented at <a href="${basePath}/api/docs">${basePath}/api/docs</a>.</p>
</html>
`;

/**
 * Serves a small page at the origin and at the address of every store, with and without the public interface's path.
 * Programs use it to check, without a token, whether a server can be reached. The page is the same whether or not the
 * store exists. At the origin, a browser is redirected to the pages for people.
 */
export function reachability({ basePath }: { basePath: string }): Router {
  const answer = staticAnswer({
    read: async () => page(basePath),
    type: "text/html; charset=utf-8",
    headers: { "content-security-policy": "default-src 'none'" },
  }) as unknown as Middleware;
  const router = new Router({ sensitive: true });
  const atOrigin: Middleware = (context, next) => (isBrowser(context) ? next() : answer(context, next));
  router.get("/", atOrigin);
  for (const path of ["/t/:tenantId/s/:storeId", "/t/:tenantId/s/:storeId/api/public/core/v1"])
    router.get(path, answer);
  return router;
}

/** Whether a caller prefers HTML over everything else. Browsers do; programs that accept anything do not. */
const isBrowser = (context: Pick<Context, "accepts">): boolean => context.accepts(["json", "html"]) === "html";
