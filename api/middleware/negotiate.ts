import type { Middleware } from "koa";
import { ProblemError } from "../http/problem-error.ts";

const PROBLEM = "application/problem+json";

/** Rejects a call whose Accept allows neither the operation's media types nor a problem document. */
export function negotiate(types: readonly string[]): Middleware {
  return (context, next) => {
    const accept = context.get("accept");
    // Fast path: nearly every client sends one of these.
    const isAnything = accept === "" || accept === "*/*";
    if (!isAnything && ![...types, PROBLEM].some((type) => admits(accept, type))) {
      throw new ProblemError(
        "not-acceptable",
        `The response is ${types.join(" or ")}, but the header Accept allows neither this nor a problem document.`,
      );
    }
    return next();
  };
}

/**
 * Whether an Accept header admits a type: its most specific range decides (RFC 9110, section 12.5.1). Parameters other
 * than `q` are ignored, because clients send a charset there and every response is UTF-8.
 */
export function admits(accept: string, type: string): boolean {
  const ranges = ["*/*", `${type.slice(0, type.indexOf("/"))}/*`, type];
  let best = { rank: -1, isWanted: false };
  for (const range of accept.toLowerCase().split(",")) {
    const [name = "", ...parameters] = range.split(";").map((part) => part.trim());
    const rank = ranges.indexOf(name);
    if (rank > best.rank) best = { rank, isWanted: !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)) };
  }
  return best.isWanted;
}
