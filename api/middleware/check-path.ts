import type { Middleware } from "koa";
import { ProblemError } from "../http/problem-error.ts";

/** Refuses a path that is not percent-encoded UTF-8, which the router would match undecoded. */
export const checkPath: Middleware = (context, next) => {
  if (context.path.includes("%")) decode(context.path);
  return next();
};

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    throw new ProblemError("malformed-path", `The path "${path}" is not percent-encoded UTF-8.`);
  }
}
