import type { Middleware } from "koa";
import type { Permit } from "../access/verify-token.ts";
import { ProblemError } from "../http/problem-error.ts";
import type { Rate, TakeTurn } from "../http/rate-limit.ts";

/** Headers with the rest of a token's rate: the IETF draft's two, and the older three. */
export const rateHeaders = [
  "ratelimit-policy",
  "ratelimit",
  "ratelimit-limit",
  "ratelimit-remaining",
  "ratelimit-reset",
] as const;

/** Passes a call while its token's rate is not used up; it runs after `authenticate`, which sets `state.permit`. */
export function limitRate({ perSecond, burst }: Rate, takeTurn: TakeTurn): Middleware {
  const policy = `"default";q=${burst};w=${Math.ceil(burst / perSecond)}`;
  return async (context, next) => {
    const turn = await takeTurn((context.state.permit as Permit).tokenId);
    if (turn !== undefined) {
      const { isGranted, left, secondsToWait } = turn;
      const [named, current, limit, remaining, reset] = rateHeaders;
      context.set({
        [named]: policy,
        [current]: `"default";r=${left};t=${secondsToWait}`,
        [limit]: String(burst),
        [remaining]: String(left),
        [reset]: String(secondsToWait),
      });
      if (!isGranted) {
        throw new ProblemError(
          "too-many-requests",
          `A token has ${perSecond} calls a second here, and ${burst} at once after a pause.`,
          { headers: { "retry-after": String(secondsToWait) } },
        );
      }
    }
    await next();
  };
}
