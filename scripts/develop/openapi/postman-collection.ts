import type { Json } from "../../../api/openapi/components.ts";

interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  required?: boolean;
  description: string;
  example?: unknown;
}
interface Operation {
  tags: readonly string[];
  summary: string;
  description?: string;
  security: readonly Json[];
  parameters?: readonly Parameter[];
  requestBody?: { content: Readonly<Record<string, { schema: Json; example?: unknown }>> };
}
interface Document {
  info: { title: string };
  servers: readonly { url: string; variables?: Readonly<Record<string, { default: string; description: string }>> }[];
  tags: readonly { name: string; description: string }[];
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

const SCHEMA = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json";
const LOGIN = "/api/public/auth/v1/login";
/** Stores the token of a login for later calls. */
const keepToken = {
  listen: "test",
  script: { type: "text/javascript", exec: ['pm.collectionVariables.set("token", pm.response.json().token);'] },
};

/**
 * Returns a collection in Postman's format 2.1, which Bruno and others import: the requests of an OpenAPI document with one
 * server, in a folder for each tag, with the document's examples. The address and the credentials are variables. Optional
 * query parameters are included but disabled.
 */
export function postmanCollection(document: unknown): Json {
  const { info, servers, tags, paths } = document as Document;
  const [server = { url: "" }] = servers;
  const base = server.url.replace(/\{(\w+)\}/g, "{{$1}}");
  const requests = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      tag: operation.tags[0],
      item: requestOf(base, path, method.toUpperCase(), operation),
    })),
  );
  const variables = Object.entries(server.variables ?? {}).map(([key, { default: value, description }]) => ({
    key,
    value,
    description,
  }));
  return {
    info: {
      name: info.title,
      description: "Log in under Access first, with `user` and `password`, or paste a token into `token`.",
      schema: SCHEMA,
    },
    auth: { type: "bearer", bearer: [{ key: "token", value: "{{token}}", type: "string" }] },
    variable: [
      ...variables,
      { key: "token", value: "", description: "A token: the login's response, or `npm run --silent token`" },
      { key: "user", value: "", description: "Name of an API user" },
      { key: "password", value: "", description: "The user's password" },
    ],
    item: tags.map(({ name, description }) => ({
      name,
      description,
      item: requests.filter(({ tag }) => tag === name).map(({ item }) => item),
    })),
  };
}

function requestOf(base: string, path: string, method: string, operation: Operation): Json {
  const { summary, description, parameters = [], requestBody } = operation;
  const [mediaType, media] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  const isLogin = path === LOGIN;
  return {
    name: summary,
    ...(isLogin && { event: [keepToken] }),
    request: {
      method,
      ...(isLogin && {
        auth: { type: "basic", basic: [variable("username", "user"), variable("password", "password")] },
      }),
      ...(description !== undefined && { description }),
      header: mediaType === "application/json" ? [{ key: "Content-Type", value: mediaType }] : [],
      url: urlOf(base, path, parameters),
      ...(media && { body: bodyOf(mediaType, media) }),
    },
    response: [],
  };
}

const variable = (key: string, name: string) => ({ key, value: `{{${name}}}`, type: "string" });

function urlOf(base: string, path: string, parameters: readonly Parameter[]): Json {
  const segments = `${base}${path.replace(/\{(\w+)\}/g, ":$1")}`.split("/");
  const partsIn = (place: Parameter["in"]) =>
    parameters
      .filter((one) => one.in === place)
      .map(({ name, description, example, required = false }) => ({
        key: name,
        value: textOf(example),
        description,
        ...(place === "query" && !required && { disabled: true }),
      }));
  const inPath = partsIn("path");
  const query = partsIn("query");
  const sent = query.flatMap(({ key, value, disabled = false }): [string, string][] =>
    disabled ? [] : [[key, value]],
  );
  return {
    raw: `${segments.join("/")}${sent.length > 0 ? `?${new URLSearchParams(sent)}` : ""}`,
    host: segments.slice(0, 1),
    path: segments.slice(1),
    ...(query.length > 0 && { query }),
    ...(inPath.length > 0 && { variable: inPath }),
  };
}

const textOf = (example: unknown): string => (Array.isArray(example) ? example.join(",") : String(example ?? ""));

function bodyOf(mediaType: string | undefined, { schema, example }: { schema: Json; example?: unknown }): Json {
  if (mediaType !== "multipart/form-data")
    return { mode: "raw", raw: JSON.stringify(example, null, 2), options: { raw: { language: "json" } } };
  const files = Object.entries((schema.properties ?? {}) as Record<string, Json>);
  return {
    mode: "formdata",
    formdata: files.map(([key, { description }]) => ({ key, type: "file", src: [], description })),
  };
}
