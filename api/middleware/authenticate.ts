import type { Middleware } from "koa";
import type { Scope } from "../../schemas/token.ts";
import { IssuerError } from "../access/issuer-keys.ts";
import { type Permit, TokenError } from "../access/verify-token.ts";
import { ProblemError } from "../http/problem-error.ts";

/** Lets a call pass whose token is valid, for the tenant and store in the path (of a tenant's own: for every store), and has the scope (RFC 6750). */
export function authenticate(
  verify: (token: string) => Promise<Permit>,
  scope: Scope,
  of: "store" | "tenant" = "store",
): Middleware {
  return async (context, next) => {
    const permit = await verifyHeader(verify, context.get("authorization"));
    const { tenantId, storeId = "" } = context.params as { tenantId: string; storeId?: string };
    if (permit.tenant !== tenantId)
      throw new ProblemError("forbidden", `The token is not for the tenant "${tenantId}".`);
    // What is of the tenant concerns all of its stores.
    if (of === "tenant" && permit.stores !== "*")
      throw new ProblemError("forbidden", "The token is for some stores only; this needs one for all stores.");
    if (permit.stores !== "*" && !permit.stores.has(storeId)) {
      throw new ProblemError("forbidden", `The token is not for the store "${storeId}".`);
    }
    if (!permit.scopes.has(scope)) {
      throw new ProblemError("insufficient-scope", `The token lacks the scope "${scope}".`, {
        headers: { "www-authenticate": `${challenge("insufficient_scope")}, scope="${scope}"` },
      });
    }
    context.state.permit = permit;
    await next();
  };
}

/** What a caller without any token is told: no error, because nothing was wrong with one. */
export const CHALLENGE = 'Bearer realm="shelfwire"';

/** `description` must hold neither a quote nor anything beyond ASCII. */
const challenge = (error: string, description?: string): string =>
  `${CHALLENGE}, error="${error}"${description === undefined ? "" : `, error_description="${description}"`}`;

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
