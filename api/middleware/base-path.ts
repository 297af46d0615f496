import type { Middleware } from "koa";

/** Serves everything below `basePath` too: a proxy may forward a request with the path under which it serves this process, or without. */
export function underPath(basePath: string): Middleware {
  return (context, next) => {
    if (context.path === basePath || context.path.startsWith(`${basePath}/`))
      context.path = context.path.slice(basePath.length) || "/";
    return next();
  };
}
