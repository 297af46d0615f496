import type { Context, Middleware, Next } from "koa";
import { LOGIN_PATH } from "../access/login/login.ts";
import type { RecallCaller } from "../access/recall-caller.ts";
import type { Permit } from "../access/verify-token.ts";
import { ProblemError } from "../http/problem-error.ts";
import { bucketOf, type Grant, type Rate, type TakeGrant } from "../http/token-bucket.ts";
import { REPORTS_PATH } from "../label-reports.ts";

/** Headers with the remaining rate of a caller: the IETF draft's two, and the older three. */
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
  takeGrant: TakeGrant;
}

/** The rates of calls with a token: per subject, and for a tenant as a whole; absent if they are not limited. */
export interface RateLimits {
  subject?: Limit | undefined;
  tenant?: Limit | undefined;
}

/**
 * Passes a call until its subject's or its tenant's rate is used up; runs once `state.permit` is set. A call rejected by
 * its subject's rate does not count for the tenant.
 */
export const limitRate =
  (rateLimits: RateLimits): Middleware =>
  async (context, next) => {
    await countForCaller(rateLimits, context as Context, context.state.permit);
    await next();
  };

async function countForCaller({ subject, tenant }: RateLimits, context: Context, permit: Permit): Promise<void> {
  context.state.isCounted = true;
  if (subject !== undefined) {
    const grant = await subject.takeGrant(bucketOf("subject", permit.tenant, permit.caller));
    if (grant !== undefined) {
      context.set(headersOf(subject.rate, grant));
      if (!grant.isGranted) throw refusal("The subject of a token", subject.rate, grant.secondsToWait);
    }
  }
  if (tenant !== undefined) await takeOrRefuse(tenant, bucketOf("tenant", permit.tenant), "A tenant");
}

function headersOf({ perSecond, burst }: Rate, { left, secondsToWait }: Grant): Record<string, string> {
  const [policy, current, limit, remaining, reset] = rateHeaders;
  return {
    [policy]: `"default";q=${burst};w=${Math.ceil(burst / perSecond)}`,
    [current]: `"default";r=${left};t=${secondsToWait}`,
    [limit]: String(burst),
    [remaining]: String(left),
    [reset]: String(secondsToWait),
  };
}

/**
 * Paths with which a platform checks the health of a process. They are cheap, and must not be refused to the platform's
 * router.
 */
const UNCOUNTED_PATHS: ReadonlySet<string> = new Set(["/healthz", "/readyz"]);
/** Paths that compare their own secret, which is not a token, and set `state.isKnown` if it matches. */
const PATHS_WITH_SECRETS: ReadonlySet<string> = new Set(["/metrics", REPORTS_PATH]);

interface CallsWorld {
  /** The rate per address; absent if it is not limited. */
  strangers: Limit | undefined;
  rateLimits: RateLimits;
  recallCaller: RecallCaller;
  addressOf(context: Context): string;
}

/**
 * Counts a call against its address before any work is done, unless its caller is already known. On every path, only a
 * valid token, session or password moves a call to its subject's rate.
 */
export function limitCalls({ strangers, rateLimits, recallCaller, addressOf }: CallsWorld): Middleware {
  async function count(context: Context): Promise<void> {
    if (strangers === undefined) return;
    await takeOrRefuse(strangers, bucketOf("address", addressOf(context)), "An address without a valid token");
  }

  async function pass(context: Context, next: Next, ended: Promise<void>): Promise<void> {
    const isLogin = context.path.endsWith(LOGIN_PATH);
    const permit = isLogin ? undefined : await recallCaller(context.req, ended);
    if (permit === undefined) {
      await count(context);
      return next();
    }
    try {
      await next();
    } finally {
      // Requests that are not for an operation (documents, files and unknown paths) also count against their caller.
      if (!context.state.isCounted) await countForCaller(rateLimits, context, permit);
    }
  }

  return async (context, next) => {
    if (UNCOUNTED_PATHS.has(context.path)) return next();
    if (PATHS_WITH_SECRETS.has(context.path) && context.get("authorization") !== "") {
      try {
        return await next();
      } finally {
        if (!context.state.isKnown) await count(context as Context);
      }
    }
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    try {
      await pass(context as Context, next, ended);
    } finally {
      end();
    }
  };
}

async function takeOrRefuse({ rate, takeGrant }: Limit, bucket: string, whose: string): Promise<void> {
  const grant = await takeGrant(bucket);
  if (grant?.isGranted === false) throw refusal(whose, rate, grant.secondsToWait);
}

const refusal = (whose: string, { perSecond, burst }: Rate, secondsToWait: number) =>
  new ProblemError(
    "too-many-requests",
    `${whose} may make ${perSecond} requests per second, and ${burst} in a burst after a pause.`,
    { headers: { "retry-after": String(secondsToWait) } },
  );
