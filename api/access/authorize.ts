import type { Middleware } from "koa";
import { PLATFORM, type Scope } from "../../schemas/token.ts";
import { ProblemError } from "../http/problem-error.ts";
import type { Route } from "../http/route.ts";
import { challenge } from "./identify.ts";
import type { Permit } from "./verify-token.ts";

/** Passes on a call that is within its caller's rights. It runs once the call has been counted for its caller. */
export const authorize =
  (route: Pick<Route, "scope" | "of" | "isForPlatform" | "isWithinStores">): Middleware =>
  async (context, next) => {
    assertPermitted(context.state.permit, route, context.params);
    await next();
  };

/**
 * Throws if a call is outside its caller's rights: the tenant and store of the path, and the scope. An operation on a tenant
 * requires a token for all of its stores. The operator's token permits every platform operation and, for every tenant, the
 * operations that are also open to the operator.
 */
export function assertPermitted(
  permit: Permit,
  { scope, of, isForPlatform, isWithinStores }: Pick<Route, "scope" | "of" | "isForPlatform" | "isWithinStores">,
  { tenantId, storeId = "" }: { tenantId?: string; storeId?: string },
): void {
  if (permit.scopes.has(PLATFORM) && isForPlatform) return;
  // Checked before the tenant, since a token of any tenant lacks this scope.
  if (scope === PLATFORM) requireScope(permit, PLATFORM);
  if (permit.tenant !== tenantId)
    throw new ProblemError("forbidden", `The token is not valid for the tenant "${tenantId}".`);
  const isOfTenant = of === "tenant";
  // An operation on a tenant affects all of the tenant's stores, unless it is restricted to the caller's stores.
  if (isOfTenant && !isWithinStores && permit.stores !== "*")
    throw new ProblemError(
      "forbidden",
      "The token is valid only for some stores; this operation requires a token for all stores.",
    );
  if (!isOfTenant && permit.stores !== "*" && !permit.stores.has(storeId))
    throw new ProblemError("forbidden", `The token is not valid for the store "${storeId}".`);
  requireScope(permit, scope);
}

/** Throws if a token lacks a scope: the operation's, or another that the body or query requires (`why`). */
export function requireScope({ scopes }: Pick<Permit, "scopes">, scope: Scope, why = ""): void {
  if (scopes.has(scope)) return;
  throw new ProblemError("insufficient-scope", `The token lacks the scope "${scope}"${why}.`, {
    headers: { "www-authenticate": `${challenge("insufficient_scope")}, scope="${scope}"` },
  });
}
