import type { Middleware } from "koa";
import { currentCauses } from "../../runtime/causes.ts";
import { actorOf } from "../access/actor-of.ts";
import type { Identify } from "../access/identify.ts";

/**
 * Passes a call whose token, session or user is valid, with its rights in `state.permit` (RFC 6750). The caller becomes
 * the actor of everything that the call causes.
 */
export const authenticate =
  (identify: Identify): Middleware =>
  async (context, next) => {
    const permit = await identify(context.req);
    const [call] = currentCauses();
    if (call !== undefined) call.actor = actorOf(permit);
    context.state.permit = permit;
    await next();
  };
