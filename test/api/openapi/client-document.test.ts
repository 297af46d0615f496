import test from "ava";
import { clientDocument } from "../../../api/openapi/client-document.ts";
import { document as whole } from "./the-document.ts";

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
};
const idsOf = ({ paths }: Pick<Document, "paths">) =>
  Object.values(paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId));

/** Every object in a value, with the name under which it stands. */
function* objectsIn(value: unknown, name = ""): Generator<[string, Json]> {
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value)) yield [name, value as Json];
  for (const [key, field] of Object.entries(value)) yield* objectsIn(field, key);
}

test("each operation is in one of the documents for generators, and the login in both", (t) => {
  const all = idsOf(whole as unknown as Document);
  const parts = [...idsOf(documents.public), ...idsOf(documents.management)];
  t.deepEqual(parts.toSorted(), [...all, "login"].sort());
  t.true(idsOf(documents.public).includes("patchItems") && idsOf(documents.management).includes("putStore"));
});

for (const [name, document] of Object.entries(documents)) {
  test(`the document of ${name} has one server, and whole paths with their parameters`, (t) => {
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

  test(`the document of ${name} has no default, no bare enumeration and no reference that leads nowhere`, (t) => {
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

test("what strict generators cannot compile or read is not in a document for them", (t) => {
  for (const { paths, components } of Object.values(documents)) {
    for (const [at, one] of [...objectsIn(paths), ...objectsIn(components)]) {
      if (["example", "examples", "value"].includes(at)) continue;
      const { type, maximum, format, anyOf } = one as {
        type?: unknown;
        maximum?: number;
        format?: string;
        anyOf?: Json[];
      };
      // A list in a choice is Java that does not compile, and so is a whole number among decimal ones.
      t.false(Array.isArray(anyOf) && anyOf.some((choice) => choice.type === "array"), at);
      t.false("const" in one && type === "number", at);
      // An integer has 32 bits in Java, which a rev exceeds.
      const isInteger = [type].flat().includes("integer") && !("enum" in one || "const" in one);
      if (isInteger && !(maximum !== undefined && maximum < 2 ** 31)) t.is(format, "int64", at);
      if (at.startsWith("image/")) t.truthy(one.schema, at);
    }
  }
});

test("an error answer for generators is a problem, and a result's number is an integer in paths as in receipts", (t) => {
  const answers = Object.values(documents.public.components.responses ?? {}) as {
    content: Record<string, { schema: Json }>;
  }[];
  t.true(answers.length > 10);
  for (const { content } of answers)
    t.deepEqual(content["application/problem+json"]?.schema, { $ref: "#/components/schemas/Problem" });
  const [requestId] = documents.public.paths["/api/public/core/v1/items-result/{requestId}"]?.get?.parameters ?? [];
  t.is((requestId as unknown as { schema: Json }).schema.type, "integer");
});
