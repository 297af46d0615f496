import test from "ava";
import { ProblemError } from "../../../api/http/problem-error.ts";
import type { Route } from "../../../api/http/route.ts";
import { assertPermitted } from "../../../api/middleware/authenticate.ts";
import { OPERATOR, roleNames, scopesOfRole } from "../../../schemas/role.ts";
import { PLATFORM, scopes } from "../../../schemas/token.ts";
import { routes } from "../openapi/the-document.ts";

const columns = [...roleNames, OPERATOR] as const;
/** Which role has which scope, in the order of the columns: linker, shop, manager, head office, till, operator. */
const table: Readonly<Record<string, string>> = {
  "items:read": "× × × × × -",
  "items:write": "- × × × × -",
  "prices:approve": "- - × × - -",
  "labels:read": "× × × × - -",
  "labels:write": "× × × × - -",
  "links:read": "× × × × - -",
  "links:write": "- - - × - -",
  "design:read": "- - - × - -",
  "design:write": "- - - × - -",
  "activity:read": "- - × × - -",
  "users:write": "- - - × - -",
  ops: "- - - × - -",
  "ops:write": "- - - × - -",
  [PLATFORM]: "- - - - - ×",
};
const has = (role: (typeof columns)[number], scope: string) => table[scope]?.split(" ")[columns.indexOf(role)] === "×";

function isPermitted(role: (typeof columns)[number], route: Route, stores: "*" | ReadonlySet<string>): boolean {
  const tenant = role === OPERATOR ? "" : "demo";
  const permit = { caller: "sub ana", tenant, stores, scopes: new Set(scopesOfRole(role)) };
  try {
    assertPermitted(permit, route, { tenantId: "demo", storeId: "main" });
    return true;
  } catch (error) {
    if (error instanceof ProblemError) return false;
    throw error;
  }
}

test("the table names every scope", (t) => {
  t.deepEqual(Object.keys(table).sort(), [...scopes, PLATFORM].sort());
});

for (const role of columns)
  test(`the role ${role} may call the operations of its scopes, and no other`, (t) => {
    t.true(routes.length > 100);
    for (const route of routes) {
      const { of, scope, operationId, isForPlatform, isWithinStores } = route;
      const isGranted = role === OPERATOR ? scope === PLATFORM || isForPlatform === true : has(role, scope);
      t.is(isPermitted(role, route, "*"), isGranted, operationId);
      if (role === OPERATOR) continue;
      const reachesStore = of === undefined || isWithinStores === true;
      t.is(isPermitted(role, route, new Set(["main"])), isGranted && reachesStore, `${operationId} with one store`);
      t.is(
        isPermitted(role, route, new Set(["other"])),
        isGranted && isWithinStores === true,
        `${operationId} with another store`,
      );
    }
  });
