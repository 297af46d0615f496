import type { Context, Middleware } from "koa";
import { LOGIN_PATH } from "../access/login.ts";
import type { Permit } from "../access/verify-token.ts";
import { ProblemError, problems } from "../http/problem-error.ts";
import { bucketOf, type Rate, type TakeTurn } from "../http/rate-limit.ts";
import { sessionIdOf } from "../session/session-cookie.ts";

/** Headers with the rest of a caller's rate: the IETF draft's two, and the older three. */
export const rateHeaders = [
  "ratelimit-policy",
  "ratelimit",
  "ratelimit-limit",
  "ratelimit-remaining",
  "ratelimit-reset",
] as const;

/** A rate and the function that counts a call against it. */
export interface Limit {
  rate: Rate;
  takeTurn: TakeTurn;
}

/** The rates of calls with a token: of each subject, and of a tenant as a whole; absent where they are not limited. */
export interface TokenLimits {
  subject?: Limit | undefined;
  tenant?: Limit | undefined;
}

/**
 * Passes a call while neither its subject's nor its tenant's rate is used up; it runs after `authenticate`, which sets
 * `state.permit`. A call that its subject's rate refuses does not count for the tenant.
 */
export function limitRate({ subject, tenant }: TokenLimits): Middleware {
  return async (context, next) => {
    const permit = context.state.permit as Permit;
    if (subject !== undefined) {
      const turn = await subject.takeTurn(bucketOf("subject", permit.tenant, permit.caller));
      if (turn !== undefined) {
        const { perSecond, burst } = subject.rate;
        const [policy, current, limit, remaining, reset] = rateHeaders;
        context.set({
          [policy]: `"default";q=${burst};w=${Math.ceil(burst / perSecond)}`,
          [current]: `"default";r=${turn.left};t=${turn.secondsToWait}`,
          [limit]: String(burst),
          [remaining]: String(turn.left),
          [reset]: String(turn.secondsToWait),
        });
        if (!turn.isGranted) throw refusal("The subject of a token", subject.rate, turn.secondsToWait);
      }
    }
    if (tenant !== undefined) await takeOrRefuse(tenant, bucketOf("tenant", permit.tenant), "A tenant");
    await next();
  };
}

/** Paths that a platform asks for a process's health: they are cheap, and must not be refused to its router. */
const UNCOUNTED_PATHS: ReadonlySet<string> = new Set(["/healthz", "/readyz"]);

/**
 * Counts calls without good credentials against their address: those without any, and logins, before any work is done,
 * others when they are refused.
 */
export function limitStrangers(limit: Limit, addressOf: (context: Context) => string): Middleware {
  const count = (context: Context) =>
    takeOrRefuse(limit, bucketOf("address", addressOf(context)), "An address without a token");
  return async (context, next) => {
    if (UNCOUNTED_PATHS.has(context.path)) return next();
    const isLogin = context.path.endsWith(LOGIN_PATH);
    const isOfSession = context.get("authorization") === "" && sessionIdOf(context.req) !== undefined;
    const isLate = isOfSession || (/^(bearer|basic) /i.test(context.get("authorization")) && !isLogin);
    if (!isLate) await count(context);
    try {
      await next();
    } catch (error) {
      if (isLate && isOfCredentials(error)) await count(context);
      throw error;
    }
    // A page without a good session is answered with the login page, and a login that failed with its reason.
    if (isOfSession && context.status === 401) await count(context as Context);
  };
}

const isOfCredentials = (error: unknown): boolean =>
  error instanceof ProblemError &&
  (problems[error.problem].status === 401 ||
    ["malformed-authorization", "too-many-failed-logins"].includes(error.problem));

async function takeOrRefuse({ rate, takeTurn }: Limit, bucket: string, whose: string): Promise<void> {
  const turn = await takeTurn(bucket);
  if (turn?.isGranted === false) throw refusal(whose, rate, turn.secondsToWait);
}

const refusal = (whose: string, { perSecond, burst }: Rate, secondsToWait: number) =>
  new ProblemError(
    "too-many-requests",
    `${whose} has ${perSecond} calls a second here, and ${burst} at once after a pause.`,
    { headers: { "retry-after": String(secondsToWait) } },
  );
