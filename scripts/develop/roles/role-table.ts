import { assertPermitted } from "../../../api/access/authorize.ts";
import { ProblemError } from "../../../api/http/problem-error.ts";
import type { Route } from "../../../api/http/route.ts";
import { createRoutes, type RoutesWorld } from "../../../api/routes.ts";
import { OPERATOR, roleNames, scopesOfRole } from "../../../schemas/role.ts";
import { PLATFORM, scopes } from "../../../schemas/token.ts";

/** The roles in the order of the columns. */
export const columns = [...roleNames, OPERATOR] as const;
type RoleColumn = (typeof columns)[number];

/** Whether a role may do something: with its stores, only with all stores of its tenant, or not at all. */
export type Cell = "×" | "all" | "-";
/** What is allowed or denied, with a cell for each column. */
export interface RoleRow {
  what: string;
  cells: readonly Cell[];
}

/** The path of each interface, with the demo's tenant and store. */
const bases = { store: "/t/{tenantId}/s/{storeId}/api/public/core/v1", tenant: "/t/{tenantId}/api/management/v1" };
const PLATFORM_BASE = "/api/platform/v1";

/** Returns the interfaces' operations, without their implementations. */
export const describedRoutes = (): readonly Route[] => createRoutes({ linkSingle: {}, management: {} } as RoutesWorld);

/** Returns the address of an operation as in the OpenAPI document. */
export const addressOf = ({ of, path }: Pick<Route, "of" | "path">): string =>
  `${of === "platform" ? PLATFORM_BASE : bases[of ?? "store"]}${path.replace(/:(\w+)/g, "{$1}")}`;

/** Lists what each role may call. */
export const operationRows = (): RoleRow[] =>
  describedRoutes().map((route) => ({
    what: `${route.method} ${addressOf(route)}`,
    cells: columns.map((role) => cellOf(role, route)),
  }));

/** Lists which scopes each role has. */
export const scopeRows = (): RoleRow[] =>
  [...scopes, PLATFORM].map((scope) => ({
    what: scope,
    cells: columns.map((role) => (scopesOfRole(role).includes(scope) ? "×" : "-")),
  }));

function cellOf(role: RoleColumn, route: Route): Cell {
  const may = (stores: "*" | ReadonlySet<string>) => isPermitted(role, route, stores);
  if (role === OPERATOR) return may(new Set()) ? "×" : "-";
  return may(new Set(["main"])) ? "×" : may("*") ? "all" : "-";
}

function isPermitted(role: RoleColumn, route: Route, stores: "*" | ReadonlySet<string>): boolean {
  const tenant = role === OPERATOR ? "" : "demo";
  try {
    const permit = { caller: "sub ana", tenant, stores, scopes: new Set(scopesOfRole(role)) };
    assertPermitted(permit, route, { tenantId: "demo", storeId: "main" });
    return true;
  } catch (error) {
    if (error instanceof ProblemError) return false;
    throw error;
  }
}
