import test from "ava";
import { type TSchema, Type } from "typebox";
import type { Route } from "../../../api/http/route.ts";
import { openApiDocument } from "../../../api/openapi/document.ts";

interface Operation {
  tags: string[];
  description: string;
  parameters: { name: string; in: string; required: boolean }[];
  requestBody?: { required: boolean; content: Record<string, { schema: object; encoding?: object }> };
  responses: Record<string, { headers: object; content?: object; links?: object }>;
}

const Shelf = Type.Object({ name: Type.String({ description: "Its name" }) }, { title: "Shelf" });

/** Returns the operation object for a description. */
function operationOf(differs: Record<string, unknown> & { answers: Record<number, TSchema | null> }): Operation {
  const description = {
    method: "POST",
    path: "/shelves/:shelf",
    operationId: "postShelf",
    summary: "A shelf",
    scope: "labels:write",
    params: Type.Object({ shelf: Type.String({ description: "Its name" }) }),
    handle: async () => ({ status: 200 }),
    ...differs,
  };
  const { paths } = openApiDocument([description as unknown as Route], "1") as {
    paths: Record<string, { get?: Operation; post?: Operation }>;
  };
  const { get, post } = paths["/shelves/{shelf}"] ?? {};
  const operation = get ?? post;
  if (operation === undefined) throw new Error(`there is no such operation among ${Object.keys(paths)}`);
  return operation;
}

test("a body is required unless its route says otherwise", (t) => {
  const answers = { 200: Shelf };
  t.true(operationOf({ body: Shelf, answers }).requestBody?.required);
  t.false(operationOf({ body: Shelf, isBodyOptional: true, answers }).requestBody?.required);
  t.is(operationOf({ answers }).requestBody, undefined);
});

test("an upload is a form with one named file", (t) => {
  const { requestBody, responses } = operationOf({ upload: "imageFile", answers: { 202: Shelf } });
  t.true(requestBody?.required);
  t.deepEqual(Object.keys(requestBody?.content ?? {}), ["multipart/form-data"]);
  t.like(requestBody?.content["multipart/form-data"]?.schema, {
    required: ["imageFile"],
    properties: { imageFile: { type: "string", format: "binary" } },
  });
  t.truthy(responses[413]);
  t.truthy(responses[415]);
});

test("a response without a body has no content", (t) => {
  t.false("content" in (operationOf({ answers: { 204: null } }).responses[204] ?? {}));
  t.false("content" in (operationOf({ answers: { 204: Type.Unsafe({}) } }).responses[204] ?? {}));
});

test("a response of another media type names it", (t) => {
  const png = Type.Unsafe<Buffer>({ contentMediaType: "image/png" });
  t.deepEqual(operationOf({ answers: { 200: png } }).responses[200]?.content, { "image/png": {} });
});

test("a tagged response documents its ETag and 304", (t) => {
  const { parameters, responses } = operationOf({ method: "GET", isTagged: true, answers: { 200: Shelf } });
  t.like(parameters.at(-1), { name: "If-None-Match", in: "header", required: false });
  t.true("ETag" in (responses[200]?.headers ?? {}));
  t.true("ETag" in (responses[304]?.headers ?? {}));
  t.false("content" in (responses[304] ?? {}));
  t.false(304 in operationOf({ answers: { 200: Shelf } }).responses);
});

test("a write may have an Idempotency-Key, and a read has none", (t) => {
  const keyed = { name: "Idempotency-Key", in: "header", required: false };
  t.like(operationOf({ answers: { 200: Shelf } }).parameters.at(-1), keyed);
  const names = operationOf({ method: "GET", answers: { 200: Shelf } }).parameters.map(({ name }) => name);
  t.deepEqual(names, ["shelf"]);
});

test("a route's own description precedes its scope", (t) => {
  const { description } = operationOf({ description: "It is **new**.", answers: { 200: Shelf } });
  t.is(description, "It is **new**.\n\nRequires the scope `labels:write`.");
});

test("without a result operation there is no link to it", (t) => {
  t.false("links" in (operationOf({ answers: { 202: Shelf } }).responses[202] ?? {}));
});
