import type { Middleware } from "koa";
import { PLATFORM, type Scope } from "../../schemas/token.ts";
import { IssuerError } from "../access/issuer-keys.ts";
import { type Permit, TokenError } from "../access/verify-token.ts";
import { ProblemError } from "../http/problem-error.ts";
import type { Route } from "../http/route.ts";

/**
 * Passes a call whose token is valid, is for the tenant and the store of the path, and has the scope (RFC 6750). An
 * operation of a tenant needs a token for all of its stores. The operator's token passes where the operation is of the
 * platform or says that it is for the operator too: for every tenant.
 */
export const authenticate =
  (verify: (token: string) => Promise<Permit>, route: Pick<Route, "scope" | "of" | "isForPlatform">): Middleware =>
  async (context, next) => {
    const permit = await verifyHeader(verify, context.get("authorization"));
    assertPermitted(permit, route, context.params);
    context.state.permit = permit;
    await next();
  };

function assertPermitted(
  permit: Permit,
  { scope, of, isForPlatform }: Pick<Route, "scope" | "of" | "isForPlatform">,
  { tenantId, storeId = "" }: { tenantId?: string; storeId?: string },
): void {
  if (permit.scopes.has(PLATFORM) && isForPlatform) return;
  // Before the tenant is compared: a token of any tenant lacks the scope.
  if (scope === PLATFORM) requireScope(permit, PLATFORM);
  if (permit.tenant !== tenantId) throw new ProblemError("forbidden", `The token is not for the tenant "${tenantId}".`);
  // A tenant's operation affects all of its stores.
  if (of === "tenant" && permit.stores !== "*")
    throw new ProblemError("forbidden", "The token is for some stores only; this needs one for all stores.");
  if (permit.stores !== "*" && !permit.stores.has(storeId))
    throw new ProblemError("forbidden", `The token is not for the store "${storeId}".`);
  requireScope(permit, scope);
}

/** Throws where a token lacks a scope: its operation's, or a further one that its body or query asks for (`why`). */
export function requireScope({ scopes }: Pick<Permit, "scopes">, scope: Scope, why = ""): void {
  if (scopes.has(scope)) return;
  throw new ProblemError("insufficient-scope", `The token lacks the scope "${scope}"${why}.`, {
    headers: { "www-authenticate": `${challenge("insufficient_scope")}, scope="${scope}"` },
  });
}

/** The challenge to a call without a token; it has no `error` attribute (RFC 6750, section 3.1). */
export const CHALLENGE = 'Bearer realm="shelfwire"';

/** `description` must be ASCII without quotes. */
const challenge = (error: string, description?: string): string =>
  `${CHALLENGE}, error="${error}"${description === undefined ? "" : `, error_description="${description}"`}`;

/** Whether a token that was good still is. While the issuer cannot be reached it counts as good. */
export async function isStillGood(verify: (token: string) => Promise<Permit>, header: string): Promise<boolean> {
  try {
    await verifyHeader(verify, header);
    return true;
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    return error.problem === "issuer-unavailable";
  }
}

async function verifyHeader(verify: (token: string) => Promise<Permit>, header: string): Promise<Permit> {
  const token = tokenOf(header);
  try {
    return await verify(token);
  } catch (error) {
    if (error instanceof IssuerError) {
      throw new ProblemError("issuer-unavailable", "The issuer's keys cannot be had, so the token cannot be judged.", {
        headers: { "retry-after": "5" },
      });
    }
    if (!(error instanceof TokenError)) throw error;
    throw new ProblemError("invalid-token", `${error.message}.`, {
      headers: { "www-authenticate": challenge("invalid_token", error.message) },
    });
  }
}

function tokenOf(header: string): string {
  const [scheme = "", token, ...more] = header.split(/ +/);
  if (scheme.toLowerCase() !== "bearer") {
    throw new ProblemError("unauthenticated", "Send the header `Authorization: Bearer <token>`.", {
      headers: { "www-authenticate": CHALLENGE },
    });
  }
  if (token === undefined || more.length > 0) {
    const detail = "The header Authorization must be the word Bearer, a blank and one token";
    throw new ProblemError("malformed-authorization", `${detail}.`, {
      headers: { "www-authenticate": challenge("invalid_request", detail) },
    });
  }
  return token;
}
