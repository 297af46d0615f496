import test from "ava";
import { type ClientInterface, clientDocument } from "../../../../api/openapi/derived/client-document.ts";
import { openApiDocument } from "../../../../api/openapi/document.ts";
import { routes, document as whole } from "../the-document.ts";

type Json = Record<string, unknown>;
interface Document extends Json {
  servers: { url: string }[];
  paths: Record<
    string,
    Record<string, { operationId: string; servers?: unknown; parameters: { name: string; in: string }[] }>
  >;
  components: Record<string, Json>;
}
const documents = {
  public: clientDocument(whole as unknown as Json, "public") as unknown as Document,
  management: clientDocument(whole as unknown as Json, "management") as unknown as Document,
  both: clientDocument(whole as unknown as Json, "both") as unknown as Document,
};
const idsOf = ({ paths }: Pick<Document, "paths">) =>
  Object.values(paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId));

/** Yields every object in a value, with its name. */
function* objectsIn(value: unknown, name = ""): Generator<[string, Json]> {
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value)) yield [name, value as Json];
  for (const [key, field] of Object.entries(value)) yield* objectsIn(field, key);
}

test("each operation appears in its own interface's document for generators and in the combined one; the login appears in all three", (t) => {
  const all = idsOf(whole as unknown as Document);
  const parts = [...idsOf(documents.public), ...idsOf(documents.management)];
  t.deepEqual(parts.toSorted(), [...all, "login"].sort());
  t.true(idsOf(documents.public).includes("patchItems") && idsOf(documents.management).includes("putStore"));
  t.deepEqual(idsOf(documents.both).toSorted(), all.toSorted());
});

for (const [name, document] of Object.entries(documents)) {
  test(`the document of ${name} has one server and full paths with their parameters`, (t) => {
    t.is(document.servers.length, 1);
    for (const [path, methods] of Object.entries(document.paths)) {
      t.regex(path, /^\/(api|t|label-server|healthz|readyz)/);
      const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter);
      for (const { operationId, servers, parameters } of Object.values(methods)) {
        t.is(servers, undefined, operationId);
        const inPath = parameters.filter((one) => one.in === "path").map((one) => one.name);
        t.deepEqual(inPath.toSorted(), named.toSorted() as string[], operationId);
      }
    }
  });

  test(`the document of ${name} has no default, no bare enumeration and no dangling reference`, (t) => {
    const inSchemas = [...objectsIn(document.paths), ...objectsIn(document.components)];
    for (const [at, one] of inSchemas.filter(([at]) => !["example", "examples", "value"].includes(at))) {
      t.false("default" in one && "type" in one && typeof one.default !== "object", at);
      if (Array.isArray(one.enum)) t.true("type" in one, at);
      if (typeof one.$ref !== "string") continue;
      const [, kind = "", component = ""] = /^#\/components\/(\w+)\/(.+)$/.exec(one.$ref) ?? [];
      t.truthy(document.components[kind]?.[component], one.$ref);
    }
  });
}

test("a proxy's path appears only in the server's address; the combined document has the store in its paths", (t) => {
  const behindProxy = openApiDocument(routes, "1", "/shop");
  const of = (name: ClientInterface) => clientDocument(behindProxy, name) as unknown as Document;
  t.deepEqual(
    (["public", "management", "both"] as const).map((name) => of(name).servers[0]?.url),
    ["/shop/t/{tenantId}/s/{storeId}", "/shop", "/shop"],
  );
  const [management, both] = [Object.keys(of("management").paths), Object.keys(of("both").paths)];
  t.true(management.includes("/healthz") && management.includes("/t/{tenantId}/api/management/v1/stores"));
  t.true(both.includes("/t/{tenantId}/s/{storeId}/api/public/core/v1/items"));
  t.false([...management, ...both].some((path) => path.startsWith("/shop")));
});

test("documents for generators contain nothing that strict generators cannot compile or read", (t) => {
  for (const { paths, components } of Object.values(documents)) {
    for (const [at, one] of [...objectsIn(paths), ...objectsIn(components)]) {
      if (["example", "examples", "value"].includes(at)) continue;
      const { type, maximum, format, anyOf } = one as {
        type?: unknown;
        maximum?: number;
        format?: string;
        anyOf?: Json[];
      };
      // Generated Java does not compile with a union that contains an array, or with a number that is a constant.
      t.false(Array.isArray(anyOf) && anyOf.some((choice) => choice.type === "array"), at);
      t.false("const" in one && type === "number", at);
      // Generated Go or C# does not compile with a union of types, an enum that contains null, or a date-time with a pattern.
      t.true([type].flat().filter((other) => other !== "null").length <= 1, at);
      if (Array.isArray(one.enum))
        t.is(new Set(one.enum.map((value) => (value === null ? "null" : typeof value))).size, 1, at);
      t.false(Array.isArray(one.enum) && one.enum.includes(null), at);
      t.false(format === "date-time" && "pattern" in one, at);
      // An integer has 32 bits in Java, and a rev is larger.
      const isInteger = [type].flat().includes("integer") && !("enum" in one || "const" in one);
      if (isInteger && !(maximum !== undefined && maximum < 2 ** 31)) t.is(format, "int64", at);
      if (at.startsWith("image/")) t.truthy(one.schema, at);
    }
  }
});

test("for generators, an error response is a problem, and a result's number is an integer in paths and receipts", (t) => {
  const answers = Object.values(documents.public.components.responses ?? {}) as {
    content: Record<string, { schema: Json }>;
  }[];
  t.true(answers.length > 10);
  for (const { content } of answers)
    t.deepEqual(content["application/problem+json"]?.schema, { $ref: "#/components/schemas/Problem" });
  const [requestId] = documents.public.paths["/api/public/core/v1/items-result/{requestId}"]?.get?.parameters ?? [];
  t.is((requestId as unknown as { schema: Json }).schema.type, "integer");
});

test("no schema has the name of a namespace that generators create", (t) => {
  const schemas = Object.keys(documents.both.components.schemas ?? {});
  t.true(schemas.includes("LabelModel"));
  for (const name of ["Api", "Client", "Model"]) t.false(schemas.includes(name), name);
});

test("for generators, an optional field is absent or a value, and a nullable field is null or a value", (t) => {
  const { FlashRequest, Font } = documents.both.components.schemas as Record<
    string,
    { properties: Record<string, Json> }
  >;
  const { description: _, ...flashType } = FlashRequest?.properties.flashType ?? {};
  t.deepEqual(flashType, { type: "integer", enum: [10, 20, 30, 40, 50] });
  const [values, nothing] = (Font?.properties.embedding?.anyOf ?? []) as Json[];
  t.deepEqual([values?.type, nothing], ["string", { type: "null" }]);
});
