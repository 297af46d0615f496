import Router from "@koa/router";
import type { Context, Middleware } from "koa";
import type { Stored } from "../schemas/record.ts";
import type { Tenant } from "../schemas/tenant.ts";
import { PLATFORM } from "../schemas/token.ts";
import { compileCheck } from "../schemas/validate.ts";
import { assertPermitted, authorize } from "./access/authorize.ts";
import type { Identify } from "./access/identify.ts";
import { createRecheck } from "./access/recheck.ts";
import type { Permit } from "./access/verify-token.ts";
import type { NoteCall } from "./activity/note-call.ts";
import type { BodyBudget } from "./body/body-budget.ts";
import { bodyLimits } from "./body/body-limits.ts";
import { compileBodyCheck } from "./body/check-body.ts";
import type { CountUpload } from "./body/upload-rate.ts";
import { type createStoreFinder, ID_PATTERN, removalOr } from "./find-owners.ts";
import { send, sendTagged, writeAnswer } from "./http/answers/write-answer.ts";
import { checked, checkedBody } from "./http/checked-call.ts";
import { callerParts, type Idempotency, type KeyedCall } from "./http/idempotency.ts";
import { ProblemError } from "./http/problem-error.ts";
import { mediaTypesOf, type Owner, type Route } from "./http/route.ts";
import { inRouteOrder, shapeOf } from "./http/route-order.ts";
import { authenticate } from "./middleware/authenticate.ts";
import { limitRate, type RateLimits } from "./middleware/enforce-rate-limit.ts";
import { negotiate } from "./middleware/negotiate.ts";
import { readJson } from "./middleware/read-json.ts";
import { readUpload } from "./middleware/read-upload.ts";
import { compileQueryCheck } from "./query/check-query.ts";
import { linkToNext } from "./query/cursor.ts";
import { warning } from "./query/warning.ts";
import { asksForStrict } from "./tolerance/strict-form.ts";

/** Base paths of the interfaces: a store's public one, a tenant's for management, and the operator's. */
const basePaths = {
  store: "/t/:tenantId/s/:storeId/api/public/core/v1",
  tenant: "/t/:tenantId/api/management/v1",
  platform: "/api/platform/v1",
};

/** A valid Idempotency-Key: visible ASCII. */
const KEY_PATTERN = /^[\x21-\x7e]{1,255}$/;
const NO_FILE = Buffer.alloc(0);

/** Resolves the store or tenant in a path. */
export interface OwnerWorld {
  findStore: ReturnType<typeof createStoreFinder>;
  findTenant(tenantId: string): Promise<Stored<Tenant> | undefined>;
  /** Reads when the data of a tenant that is being removed will be deleted; undefined for any other tenant. */
  readRemoval(tenantId: string): Promise<Date | undefined>;
}

interface MountWorld extends OwnerWorld {
  /** Records that an operation has started; the returned function records its end. */
  beginOperation?(operation: string): () => void;
  identify: Identify;
  rateLimits: RateLimits;
  /** The budget for bodies in progress. */
  bodies: BodyBudget;
  countUpload: CountUpload;
  idempotency: Idempotency;
  noteCall: NoteCall;
}

/**
 * Mounts operations. Each call is authenticated, counted against its subject's and its tenant's rate, authorised, resolved
 * to its store or tenant, and validated against the route's schemas, in this order.
 */
export function mountRoutes(routes: readonly Route[], world: MountWorld): Router {
  assertDistinct(routes);
  // Strict: a path with a trailing slash is a different path, so `DELETE /labels/A/links/` does not mean "all links of A".
  const router = new Router({ strict: true, sensitive: true });
  const bodies = { budget: world.bodies, ownerOf, countUpload: world.countUpload };
  const readBody = readJson(bodyLimits.json.maxBytes, world.bodies, ownerOf);
  for (const route of inRouteOrder(routes)) {
    const middleware = [
      ...(world.beginOperation ? [noteOperation(`${route.method} ${route.path}`, world.beginOperation)] : []),
      negotiate(mediaTypesOf(route)),
      authenticate(world.identify),
      limitRate(world.rateLimits),
      authorize(route),
      ...(route.upload
        ? [readUpload(route.upload, { ...uploadLimits(route), ...bodies })]
        : route.body
          ? readBody
          : []),
      handle(route, world),
    ];
    router.register(`${basePaths[route.of ?? "store"]}${route.path}`, [route.method], middleware);
  }
  return router;
}

/** Returns whose share of the budget a call's body uses: the tenant's or the operator's. */
const ownerOf = ({ state }: Context): string => (state.permit as Permit).tenant || PLATFORM;

const uploadLimits = ({ uploadBounds }: Route) => ({
  limit: (uploadBounds ?? bodyLimits.upload).maxBytes,
  within: bodyLimits.upload.timeoutMs,
});

/** Informs the event loop watch of the operation that a call executes. */
function noteOperation(operation: string, begin: (operation: string) => () => void): Middleware {
  return async (_, next) => {
    const end = begin(operation);
    try {
      await next();
    } finally {
      end();
    }
  };
}

/** Throws at startup if two routes have the same method and path, or a path parameter has no schema. */
function assertDistinct(routes: readonly Route[]): void {
  const seen = new Set<string>();
  for (const { method, of = "store", path, params } of routes) {
    const address = `${method} ${of} ${shapeOf(path)}`;
    if (seen.has(address)) throw new Error(`${method} ${path} is defined twice`);
    seen.add(address);
    const { properties = {} } = (params ?? {}) as { properties?: object };
    for (const [, name = ""] of path.matchAll(/:(\w+)/g))
      if (!Object.hasOwn(properties, name)) throw new Error(`${method} ${path} has no schema for :${name}`);
  }
}

function handle(route: Route, world: MountWorld): Middleware {
  const { idempotency, identify, noteCall } = world;
  const checkPath = route.params && compileCheck(route.params);
  const checkQuery = compileQueryCheck(route.query);
  const checkBody = route.body && compileBodyCheck(route.body);
  const isCompressible = route.of === undefined || !(route.isTagged || route.isGuarded);
  return async (context) => {
    // If-Match compares the tags of these responses strongly, and a compressed response would have a weak tag.
    if (!isCompressible) context.compress = false;
    const { params, owner, ...target } = await findOwner(route, context.params, world);
    checked(checkPath, "path", params);
    const isStrict = asksForStrict(context.get("prefer"));
    const isTolerant = route.of === undefined && !isStrict;
    const { query, remarks } = checkQuery(context.querystring, { isTolerant, isStrict });
    if (remarks.length > 0) context.set("warning", warning(remarks));
    const { readWritten } = context.state;
    const forms = isTolerant && target.settings ? { timeZone: target.settings.timeZone, readWritten } : undefined;
    const body = checkBody && (await checkedBody(route, checkBody, context.request.body, forms));
    const isPermitted = createRecheck({
      identify,
      request: context.req,
      assertPermitted: (permit) => assertPermitted(permit, route, context.params),
    });
    // The bytes and the parsed body are no longer needed, since their checked copy is used from here on.
    context.state.readWritten = undefined;
    context.state.releaseBody?.();
    context.request.body = undefined;
    const permit = context.state.permit as Permit;
    const upload = context.state.upload ?? NO_FILE;
    const header = (name: string) => context.get(name);
    const respond = () => route.handle({ ...target, permit, isPermitted, params, query, body, upload, header });
    const perform = async () => {
      const answer = await noteCall({ ...target, route, permit, params, body }, respond);
      if (answer.next !== undefined) context.set("link", linkToNext(context.querystring, answer.next));
      return writeAnswer(answer);
    };
    const keyed = route.method === "GET" ? undefined : keyedCall(context, owner);
    const { body: answer, keptBody: _, ...head } = await (keyed ? idempotency.once(keyed, perform) : perform());
    if (route.isTagged && (typeof answer === "string" || Buffer.isBuffer(answer)))
      sendTagged(context, { ...head, body: answer });
    else send(context, { ...head, ...(answer !== undefined && { body: answer }) });
  };
}

/** Reads the tenant or store that the path names, if any; `params` are the path's remaining parameters. */
export async function findOwner(
  { of }: Pick<Route, "of">,
  { tenantId = "", ...params }: Record<string, string>,
  { findStore, findTenant, readRemoval }: OwnerWorld,
): Promise<Owner & { owner: string; params: Record<string, string> }> {
  const removedOr = (detail: string) => removalOr(readRemoval, tenantId, detail);
  if (of === "platform") return { owner: PLATFORM, params: tenantId ? { tenantId, ...params } : params };
  if (of === "tenant") {
    const tenant = ID_PATTERN.test(tenantId) ? await findTenant(tenantId) : undefined;
    if (tenant === undefined)
      throw new ProblemError("unknown-tenant", await removedOr(`The tenant "${tenantId}" does not exist.`));
    return { owner: tenant._id, params, tenant: tenant._id };
  }
  const { storeId = "", ...others } = params;
  const settings =
    ID_PATTERN.test(tenantId) && ID_PATTERN.test(storeId) ? await findStore(tenantId, storeId) : undefined;
  if (settings === undefined)
    throw new ProblemError(
      "unknown-store",
      await removedOr(`The store "${storeId}" of the tenant "${tenantId}" does not exist.`),
    );
  return { owner: settings._id, params: others, store: settings._id, settings };
}

/** The identity of a call that carries an Idempotency-Key; undefined for a call without one. */
function keyedCall(context: Context, store: string): KeyedCall | undefined {
  const key = context.headers["idempotency-key"] as string | undefined;
  if (key === undefined) return undefined;
  if (!KEY_PATTERN.test(key)) {
    const errors = [{ pointer: "/header/idempotency-key", detail: "must be 1 to 255 visible ASCII characters" }];
    throw new ProblemError("invalid-request", "The header Idempotency-Key is invalid.", { errors });
  }
  const { method, path, querystring, state } = context;
  return {
    store,
    caller: callerParts(state.permit as Permit),
    key,
    fingerprintParts: [method, path, querystring, state.bodyDigest ?? ""],
  };
}
