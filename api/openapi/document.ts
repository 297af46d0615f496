import { PLATFORM } from "../../schemas/token.ts";
import type { ProblemName } from "../http/problem-kinds.ts";
import type { Route } from "../http/route.ts";
import { createComponents, type Json } from "./components.ts";
import { headerComponents } from "./headers.ts";
import { type Operation, operationOf } from "./operation.ts";
import { outside } from "./outside.ts";
import { resultOperationOf, tagOf, tenantTagOf } from "./places.ts";
import { createProblemAnswers } from "./problem-answers.ts";
import { accessToken, apiUser, description, labelServerSecret, platformToken, tagList } from "./prose.ts";
import { webhooks } from "./webhooks.ts";

const always: readonly ProblemName[] = [
  "malformed-path",
  "malformed-authorization",
  "unauthenticated",
  "invalid-token",
  "wrong-credentials",
  "forbidden",
  "insufficient-scope",
  "not-acceptable",
  "too-many-requests",
  "too-many-failed-logins",
  "headers-too-large",
  "internal-error",
  "unavailable",
  "issuer-unavailable",
  "busy",
];
const withBody: readonly ProblemName[] = [
  "malformed-body",
  "duplicate-field",
  "body-too-large",
  "unsupported-media-type",
];
/** Problems of operations that accept an Idempotency-Key. */
const ofWrites: readonly ProblemName[] = ["invalid-request", "idempotency-key-in-use", "idempotency-key-reused"];

/** For operations whose address contains a tenant or a store. */
const ownerProblems: Readonly<Record<"store" | "tenant" | "platform", readonly ProblemName[]>> = {
  store: ["unknown-store"],
  tenant: ["unknown-tenant"],
  platform: [],
};

/**
 * Returns the OpenAPI 3.1 document for these operations, made from the same list that is mounted. Without `origin`, the
 * origin of the servers is a variable; if `origin` is empty, their addresses are relative to the location of the
 * document.
 */
export function openApiDocument(routes: readonly Route[], version: string, origin?: string): Json {
  const components = createComponents();
  const { answersOf, responses } = createProblemAnswers(components);
  const servers = serversAt(origin);
  const operationIds = new Set(routes.map(({ operationId }) => operationId));
  const operations = [
    ...routes.map((route) => documentedOperation(route, operationIds, route.of && servers[route.of])),
    ...outside.map((operation) => ({ ...operation, servers: [servers.beside] })),
  ];
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    const path = operation.path.replace(/:(\w+)/g, "{$1}");
    const method = operation.method.toLowerCase();
    // OpenAPI identifies an operation only by path and method, so interfaces with different servers must not share a
    // path.
    if (paths[path]?.[method] !== undefined) throw new Error(`two interfaces define ${operation.method} ${path}`);
    const shown = operationOf(operation, { refer: components.refer, answersOf });
    paths[path] = { ...paths[path], [method]: shown };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Shelfwire",
      version,
      description,
      contact: { name: "The operator of this installation" },
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [servers.store],
    security: [{ accessToken: [] }, { apiUser: [] }],
    tags: tagList(new Set(operations.map(({ tag }) => tag))),
    paths,
    webhooks: webhooks(components),
    components: {
      securitySchemes: { accessToken, platformToken, apiUser, labelServerSecret },
      headers: headerComponents(),
      responses: responses(),
      schemas: components.schemas(),
    },
  };
}

function serversAt(origin: string | undefined): { store: Json; tenant: Json; platform: Json; beside: Json } {
  const anywhere = { origin: { default: "http://127.0.0.1:8080", description: "Address of this installation" } };
  const ofTenant = {
    ...(origin === undefined && anywhere),
    tenantId: { default: "demo", description: "Id of the tenant" },
  };
  return {
    store: {
      url: `${origin ?? "{origin}"}/t/{tenantId}/s/{storeId}/api/public/core/v1`,
      description: "Interface of a store",
      variables: { ...ofTenant, storeId: { default: "main", description: "Id of the store" } },
    },
    tenant: {
      url: `${origin ?? "{origin}"}/t/{tenantId}/api/management/v1`,
      description: "Management interface of a tenant",
      variables: ofTenant,
    },
    platform: {
      url: `${origin ?? "{origin}"}/api/platform/v1`,
      description: "Interface of the operator, above all tenants",
      ...(origin === undefined && { variables: anywhere }),
    },
    beside: origin === undefined ? { url: "{origin}", variables: anywhere } : { url: origin || "/" },
  };
}

/** Documents a route as an operation; `server` is passed if the route is not in a store's interface. */
function documentedOperation(route: Route, operationIds: ReadonlySet<string>, server: Json | undefined): Operation {
  const { method, of, body, upload, scope, isForPlatform, problems: own = [] } = route;
  const scopesOf = isForPlatform && scope !== PLATFORM ? [scope, PLATFORM] : [scope];
  const resultBy = resultOperationOf(route.path);
  return {
    ...route,
    tag: of === undefined ? tagOf(route.path) : tenantTagOf(route.path),
    description: [route.description, `Requires the scope \`${scopesOf.join("` or `")}\`.`].filter(Boolean).join("\n\n"),
    security: [
      ...scopesOf.map((one) => ({ [one === PLATFORM ? "platformToken" : "accessToken"]: [one] })),
      ...(scope === PLATFORM ? [] : [{ apiUser: [] }]),
    ],
    problems: [
      // Also caused by strict handling, which refuses query parameters that the operation does not have.
      "invalid-request" as const,
      ...(method === "GET" ? [] : ofWrites),
      ...(method !== "GET" && of === undefined ? ["too-much-waiting" as const] : []),
      ...(body || upload ? withBody : []),
      ...(upload ? ["request-timeout" as const] : []),
      ...always,
      ...ownerProblems[of ?? "store"],
      ...(route.isGuarded ? ["precondition-failed" as const] : []),
      ...own,
    ],
    isKeyed: method !== "GET",
    ...(server ? { servers: [server] } : operationIds.has(resultBy) && { resultBy }),
  };
}
