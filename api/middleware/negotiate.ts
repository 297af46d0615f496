import type { Middleware } from "koa";
import { ProblemError } from "../http/problem-error.ts";

const PROBLEM = "application/problem+json";

/** Refuses a call that would accept neither what the operation answers nor a problem document. */
export function negotiate(types: readonly string[]): Middleware {
  return (context, next) => {
    const accept = context.get("accept");
    // What nearly every client sends needs no parsing.
    const isAnything = accept === "" || accept === "*/*";
    if (!isAnything && ![...types, PROBLEM].some((type) => admits(accept, type))) {
      throw new ProblemError(
        "not-acceptable",
        `The answer is ${types.join(" or ")}; the header Accept admits neither.`,
      );
    }
    return next();
  };
}

/**
 * Whether a header Accept admits a type: what its most specific range says of it (RFC 9110, section 12.5.1). Parameters
 * beside the quality are passed over: clients name a charset there, and the answer is in UTF-8 anyway.
 */
export function admits(accept: string, type: string): boolean {
  const ranges = ["*/*", `${type.slice(0, type.indexOf("/"))}/*`, type];
  let best = { rank: -1, isWanted: false };
  for (const range of accept.toLowerCase().split(",")) {
    const [name = "", ...parameters] = range.split(";").map((part) => part.trim());
    const rank = ranges.indexOf(name);
    if (rank > best.rank) best = { rank, isWanted: !parameters.some((one) => /^q=0(\.0*)?$/.test(one)) };
  }
  return best.isWanted;
}
