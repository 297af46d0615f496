import { createComponents, type Json } from "./openapi/components.ts";
import { headerComponents } from "./openapi/headers.ts";
import { type Operation, operationOf } from "./openapi/operation.ts";
import { outside } from "./openapi/outside.ts";
import { resultOperationOf, tagOf } from "./openapi/places.ts";
import { createProblemAnswers } from "./openapi/problem-answers.ts";
import { accessToken, apiUser, description, labelServerSecret, tagList } from "./openapi/prose.ts";
import type { ProblemName } from "./problem-error.ts";
import type { Route } from "./route.ts";

const always: readonly ProblemName[] = [
  "malformed-path",
  "malformed-authorization",
  "unauthenticated",
  "invalid-token",
  "forbidden",
  "insufficient-scope",
  "unknown-store",
  "not-acceptable",
  "too-many-requests",
  "internal-error",
  "unavailable",
  "issuer-unavailable",
];
const withBody: readonly ProblemName[] = [
  "malformed-body",
  "duplicate-field",
  "body-too-large",
  "unsupported-media-type",
];
/** Where an Idempotency-Key may be sent. */
const ofWrites: readonly ProblemName[] = ["invalid-request", "idempotency-key-in-use", "idempotency-key-reused"];

/**
 * The OpenAPI 3.1 document of these operations: a walk over the same list that is mounted. Without the origin that
 * serves it, the origin is a variable.
 */
export function openApiDocument(routes: readonly Route[], version: string, origin?: string): Json {
  const components = createComponents();
  const { answersOf, responses } = createProblemAnswers(components);
  const servers = serversAt(origin);
  const known = new Set(routes.map(({ operationId }) => operationId));
  const operations = [
    ...routes.map((route) => inStore(route, known)),
    ...outside.map((one) => ({ ...one, servers: [servers.beside] })),
  ];
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    const path = operation.path.replace(/:(\w+)/g, "{$1}");
    const shown = operationOf(operation, { refer: components.refer, answersOf });
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: shown };
  }
  return {
    openapi: "3.1.0",
    info: { title: "Shelfwire", version, description, license: { name: "MIT", identifier: "MIT" } },
    servers: [servers.store],
    security: [{ accessToken: [] }],
    tags: tagList(new Set(operations.map(({ tag }) => tag))),
    paths,
    components: {
      securitySchemes: { accessToken, apiUser, labelServerSecret },
      headers: headerComponents(),
      responses: responses(),
      schemas: components.schemas(),
    },
  };
}

function serversAt(origin: string | undefined): { store: Json; beside: Json } {
  const anywhere = { origin: { default: "http://127.0.0.1:8080", description: "Where this Shelfwire is" } };
  return {
    store: {
      url: `${origin ?? "{origin}"}/t/{tenantId}/s/{storeId}/api/public/core/v1`,
      description: "A store's interface",
      variables: {
        ...(origin === undefined && anywhere),
        tenantId: { default: "demo", description: "Id of the tenant" },
        storeId: { default: "main", description: "Id of the store" },
      },
    },
    beside: origin === undefined ? { url: "{origin}", variables: anywhere } : { url: origin },
  };
}

/** An operation of a store's interface. */
function inStore(route: Route, known: ReadonlySet<string>): Operation {
  const { method, params, query, body, upload, scope, problems: own = [] } = route;
  const isChecked = params ?? query ?? body;
  const resultBy = resultOperationOf(route.path);
  return {
    ...route,
    tag: tagOf(route.path),
    description: [route.description, `Needs the scope \`${scope}\`.`].filter(Boolean).join("\n\n"),
    security: [{ accessToken: [scope] }],
    problems: [
      ...(isChecked ? ["invalid-request" as const] : []),
      ...(method === "GET" ? [] : ofWrites),
      ...(body || upload ? withBody : []),
      ...(upload ? ["request-timeout" as const] : []),
      ...always,
      ...own,
    ],
    isKeyed: method !== "GET",
    ...(known.has(resultBy) && { resultBy }),
  };
}
