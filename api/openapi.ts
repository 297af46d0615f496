import type { TSchema } from "typebox";
import { Problem } from "../schemas/problem.ts";
import { type ProblemName, problems } from "./problem-error.ts";
import type { Route } from "./route.ts";

type Json = Record<string, unknown>;

const always: readonly ProblemName[] = ["unauthenticated", "forbidden", "not-found", "internal-error", "unavailable"];
const withBody: readonly ProblemName[] = ["malformed-body", "body-too-large", "unsupported-media-type"];

/** The OpenAPI 3.1 document of these operations: a walk over the same list that is mounted. */
export function openApiDocument(routes: readonly Route[], version: string): Json {
  const components: Json = {};
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, "{$1}");
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route, components) };
  }
  shown(Problem, components);
  return {
    openapi: "3.1.0",
    info: {
      title: "Shelfwire",
      version,
      description: "Items, electronic shelf labels and the links between them.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [
      {
        url: "{origin}/t/{tenantId}/s/{storeId}/api/public/core/v1",
        variables: {
          origin: { default: "http://127.0.0.1:8080" },
          tenantId: { default: "demo" },
          storeId: { default: "main" },
        },
      },
    ],
    security: [{ accessToken: [] }],
    paths,
    components: {
      securitySchemes: { accessToken: { type: "http", scheme: "bearer", bearerFormat: "JWT" } },
      schemas: components,
    },
  };
}

function operationOf(route: Route, components: Json): Json {
  const refer = (schema: TSchema) => shown(schema, components);
  const answers = Object.entries(route.answers).map(([status, schema]) => [
    status,
    { description: status === "202" ? "Accepted" : "Done", content: contentOf(schema, refer) },
  ]);
  return {
    operationId: route.operationId,
    summary: route.summary,
    description: `Needs the scope \`${route.scope}\`.`,
    security: [{ accessToken: [route.scope] }],
    parameters: [...parametersOf("path", route.params, refer), ...parametersOf("query", route.query, refer)],
    ...(route.body && {
      requestBody: { required: true, content: { "application/json": { schema: refer(route.body) } } },
    }),
    responses: { ...Object.fromEntries(answers), ...problemAnswers(route) },
  };
}

function contentOf(schema: TSchema, refer: (schema: TSchema) => unknown): Json {
  const { contentMediaType } = schema as { contentMediaType?: string };
  if (contentMediaType !== undefined) return { [contentMediaType]: {} };
  return { "application/json": { schema: refer(schema) } };
}

function parametersOf(place: "path" | "query", schema: TSchema | undefined, refer: (schema: TSchema) => unknown) {
  const { properties = {}, required = [] } = (schema ?? {}) as {
    properties?: Record<string, TSchema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, one]) => ({
    name,
    in: place,
    required: required.includes(name),
    schema: refer(one),
  }));
}

/** One answer a status; two problems of one status are one answer with both titles. */
function problemAnswers({ params, query, body, problems: own = [] }: Route): Json {
  const isChecked = params ?? query ?? body;
  const names = [...(isChecked ? ["invalid-request" as const] : []), ...(body ? withBody : []), ...always, ...own];
  const byStatus = Map.groupBy(new Set(names), (name) => problems[name].status);
  return Object.fromEntries(
    [...byStatus]
      .sort(([one], [other]) => one - other)
      .map(([status, ones]) => [
        status,
        {
          description: ones.map((name) => problems[name].title).join("; or: "),
          content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
        },
      ]),
  );
}

/** A schema as JSON. One that has a title stands among the components, once, and is referred to. */
function shown(schema: unknown, components: Json): unknown {
  if (Array.isArray(schema)) return schema.map((one) => shown(one, components));
  if (typeof schema !== "object" || schema === null) return schema;
  // How Ajv words a fault is nothing that a reader of the document needs.
  const { title, errorMessage: _, ...rest } = schema as Json;
  const plain = Object.fromEntries(Object.entries(rest).map(([name, one]) => [name, shown(one, components)]));
  if (typeof title !== "string" || rest.type === undefined) return title === undefined ? plain : { title, ...plain };
  components[title] = plain;
  return { $ref: `#/components/schemas/${title}` };
}
