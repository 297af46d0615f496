import type { Middleware } from "koa";
import { PLATFORM, type Scope } from "../../schemas/token.ts";
import { ProblemError } from "../http/problem-error.ts";
import type { Route } from "../http/route.ts";
import { challenge } from "./identify.ts";
import type { Permit } from "./verify-token.ts";

/** Passes a call that is within the rights of its caller, once it was counted for that caller. */
export const authorize =
  (route: Pick<Route, "scope" | "of" | "isForPlatform" | "isWithinStores">): Middleware =>
  async (context, next) => {
    assertPermitted(context.state.permit, route, context.params);
    await next();
  };

/**
 * Throws if a call is not within its caller's rights: for the tenant and the store of the path, and with the scope. An
 * operation of a tenant needs a token for all of its stores. The operator's token passes if the operation is of the
 * platform or says that it is for the operator too: for every tenant.
 */
export function assertPermitted(
  permit: Permit,
  { scope, of, isForPlatform, isWithinStores }: Pick<Route, "scope" | "of" | "isForPlatform" | "isWithinStores">,
  { tenantId, storeId = "" }: { tenantId?: string; storeId?: string },
): void {
  if (permit.scopes.has(PLATFORM) && isForPlatform) return;
  // Before the tenant is compared: a token of any tenant lacks the scope.
  if (scope === PLATFORM) requireScope(permit, PLATFORM);
  if (permit.tenant !== tenantId)
    throw new ProblemError("forbidden", `The token is not valid for the tenant "${tenantId}".`);
  const isOfTenant = of === "tenant";
  // A tenant's operation affects all of its stores, unless it keeps to those of its caller.
  if (isOfTenant && !isWithinStores && permit.stores !== "*")
    throw new ProblemError(
      "forbidden",
      "The token is valid only for some stores; this operation requires one for all stores.",
    );
  if (!isOfTenant && permit.stores !== "*" && !permit.stores.has(storeId))
    throw new ProblemError("forbidden", `The token is not valid for the store "${storeId}".`);
  requireScope(permit, scope);
}

/** Throws if a token lacks a scope: that of its operation, or a further one that its body or query requires (`why`). */
export function requireScope({ scopes }: Pick<Permit, "scopes">, scope: Scope, why = ""): void {
  if (scopes.has(scope)) return;
  throw new ProblemError("insufficient-scope", `The token lacks the scope "${scope}"${why}.`, {
    headers: { "www-authenticate": `${challenge("insufficient_scope")}, scope="${scope}"` },
  });
}
