import type { Middleware } from "koa";

/**
 * Also serves everything below `basePath`, since a proxy may forward requests with or without the path under which it
 * serves this process.
 */
export function underPath(basePath: string): Middleware {
  return (context, next) => {
    if (context.path === basePath || context.path.startsWith(`${basePath}/`))
      context.path = context.path.slice(basePath.length) || "/";
    return next();
  };
}
