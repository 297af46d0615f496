import { parse as parseQuery } from "node:querystring";
import Router from "@koa/router";
import type { Middleware } from "koa";
import type { TSchema } from "typebox";
import { type Check, compileCheck } from "../schemas/validate.ts";
import { authenticate } from "./middleware/authenticate.ts";
import { readJson } from "./middleware/read-json.ts";
import { ProblemError } from "./problem-error.ts";
import type { Route } from "./route.ts";
import type { createStoreFinder } from "./stores.ts";
import type { Permit } from "./tokens.ts";

/** Where a store's public interface is, below the origin. */
const BASE_PATH = "/t/:tenantId/s/:storeId/api/public/core/v1";

const BODY_LIMIT = 32 * 2 ** 20;

interface Dependencies {
  verify(token: string): Promise<Permit>;
  findStore: ReturnType<typeof createStoreFinder>;
}

/** Mounts operations: each call is authenticated, finds its store, and is checked against its schemas, in this order. */
export function mountRoutes(routes: readonly Route[], { verify, findStore }: Dependencies): Router {
  // Ids matter by case, so the fixed words beside them must: an item may be called `SIC`.
  const router = new Router({ sensitive: true });
  const readBody = readJson(BODY_LIMIT);
  for (const route of routes) {
    const middleware = [authenticate(verify, route.scope), ...(route.body ? readBody : []), handle(route, findStore)];
    router.register(`${BASE_PATH}${route.path}`, [route.method], middleware as never);
  }
  return router;
}

function handle(route: Route, findStore: Dependencies["findStore"]): Middleware {
  const checkPath = route.params && compileCheck(route.params);
  const checkQuery = route.query && compileCheck(route.query);
  const checkBody = route.body && compileCheck(route.body);
  return async (context) => {
    const { tenantId, storeId, ...params } = context.params as Record<string, string>;
    const settings = await findStore(tenantId ?? "", storeId ?? "");
    if (settings === undefined)
      throw new ProblemError("not-found", `There is no store "${storeId}" of the tenant "${tenantId}".`);
    checked(checkPath, "path", params);
    const query = route.query ? checked(checkQuery, "query", typedQuery(context.querystring, route.query)) : {};
    const body = route.body ? checked(checkBody, "body", context.request.body) : undefined;
    const answer = await route.handle({
      store: settings._id,
      settings,
      params: params as never,
      query: query as never,
      body: body as never,
    });
    context.status = answer.status;
    context.set({ ...answer.headers });
    if (answer.type) context.type = answer.type;
    if (answer.body !== undefined) context.body = answer.body;
  };
}

function checked(check: Check | undefined, what: string, value: unknown): unknown {
  const faults = check?.(value) ?? [];
  if (faults.length === 0) return value;
  const errors = faults.map(({ pointer, detail }) => ({ pointer: placeOf(what, pointer), detail }));
  throw new ProblemError("invalid-request", `The ${what} has ${faults.length} fault${faults.length > 1 ? "s" : ""}.`, {
    errors,
  });
}

/** A pointer into a query names the parameter, whichever of its values is at fault: the fault tells that. */
function placeOf(what: string, pointer: string): string {
  if (what === "body") return pointer;
  return `/${what}${what === "query" ? /^(\/[^/]*)?/.exec(pointer)?.[0] : pointer}`;
}

/** Query texts in the types that their schema asks for; what does not read as one stays a text and is refused. */
function typedQuery(text: string, schema: TSchema): Record<string, unknown> {
  const { properties = {} } = schema as { properties?: Record<string, { type?: string }> };
  // All of them: a filter may name thousands of barcodes, and what is left out silently would be answered wrongly.
  return Object.fromEntries(
    Object.entries(parseQuery(text, "&", "=", { maxKeys: 0 }))
      .filter(([name]) => Object.hasOwn(properties, name))
      .map(([name, value]) => [name, typedText(value, properties[name]?.type)]),
  );
}

function typedText(value: string | string[] | undefined, type: string | undefined): unknown {
  if (type === "array") return [value ?? []].flat().flatMap((one) => one.split(","));
  if (typeof value !== "string") return value;
  if (type === "integer" && /^-?\d+$/.test(value)) return Number(value);
  if (type === "boolean" && (value === "true" || value === "false")) return value === "true";
  return value;
}
