import type { Middleware } from "koa";
import type { Scope } from "../../schemas/token.ts";
import { ProblemError } from "../problem-error.ts";
import { type Permit, TokenError } from "../tokens.ts";

/** Lets a call pass whose token is valid, for the tenant and store in the path, and has the scope. */
export function authenticate(verify: (token: string) => Promise<Permit>, scope: Scope): Middleware {
  return async (context, next) => {
    const permit = await verifyHeader(verify, context.get("authorization"));
    const { tenantId, storeId } = context.params as { tenantId: string; storeId: string };
    if (permit.tenant !== tenantId)
      throw new ProblemError("forbidden", `The token is not for the tenant "${tenantId}".`);
    if (permit.stores !== "*" && !permit.stores.has(storeId)) {
      throw new ProblemError("forbidden", `The token is not for the store "${storeId}".`);
    }
    if (!permit.scopes.has(scope)) {
      const challenge = `Bearer error="insufficient_scope", scope="${scope}"`;
      throw new ProblemError("forbidden", `The token lacks the scope "${scope}".`, {
        headers: { "www-authenticate": challenge },
      });
    }
    await next();
  };
}

async function verifyHeader(verify: (token: string) => Promise<Permit>, header: string): Promise<Permit> {
  const token = /^Bearer +(\S+)$/i.exec(header)?.[1];
  if (token === undefined) {
    throw new ProblemError("unauthenticated", "Send the header `Authorization: Bearer <token>`.", {
      headers: { "www-authenticate": "Bearer" },
    });
  }
  try {
    return await verify(token);
  } catch (error) {
    if (!(error instanceof TokenError)) throw error;
    throw new ProblemError("unauthenticated", error.message, {
      headers: { "www-authenticate": 'Bearer error="invalid_token"' },
    });
  }
}
