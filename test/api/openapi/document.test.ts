import { Validator } from "@seriousme/openapi-schema-validator";
import test from "ava";
import { problems } from "../../../api/http/problem-kinds.ts";
import { answersOf, document, operations, routes } from "./the-document.ts";

test("the document is valid OpenAPI 3.1", async (t) => {
  const { valid, errors } = await new Validator().validate(structuredClone(document));
  t.true(valid, JSON.stringify(errors, null, 2));
  t.is(document.openapi, "3.1.0");
});

test("each operation has its own ID, a summary, a known tag and its scopes", (t) => {
  const ids = operations.map(({ operation }) => operation.operationId);
  t.deepEqual([...new Set(ids)], ids);
  for (const { operationId, scope, isForPlatform } of routes) {
    const { operation } = operations.find(({ operation }) => operation.operationId === operationId) ?? {};
    const ofTenant = scope === "platform" ? [] : [{ accessToken: [scope] }];
    const ofOperator = scope === "platform" || isForPlatform ? [{ platformToken: ["platform"] }] : [];
    const byPassword = scope === "platform" ? [] : [{ apiUser: [] }];
    t.deepEqual(operation?.security, [...ofTenant, ...ofOperator, ...byPassword], operationId);
  }
  const tags = document.tags.map(({ name }) => name);
  for (const { name, operation } of operations) {
    t.true(operation.summary.length > 0, name);
    t.true(
      operation.tags.every((tag) => tags.includes(tag)),
      name,
    );
    for (const scheme of operation.security.flatMap(Object.keys)) t.truthy(document.components.securitySchemes[scheme]);
  }
});

test("every response lists its headers, and every problem its types with an example for each", (t) => {
  for (const { name, operation } of operations) {
    for (const [status, { headers, content = {} }] of answersOf(operation)) {
      t.truthy(headers["X-Request-Id"], `${name} ${status}`);
      const media = content["application/problem+json"];
      if (media === undefined) continue;
      const types = Object.values(media.examples ?? {}).map(({ value }) => (value as { type: string }).type);
      const [, narrowed] = (media.schema?.allOf ?? []) as { properties: { type: { enum: string[] } } }[];
      t.deepEqual(types, narrowed?.properties.type.enum, `${name} ${status}`);
      for (const type of types) {
        const problem = problems[type.slice("/problems/".length) as keyof typeof problems];
        t.is(String(problem?.status), status, type);
      }
    }
  }
});

test("an operation lists the common problems, its body's problems, and its own", (t) => {
  const statusesOf = (id: string) =>
    Object.keys(operations.find(({ operation }) => operation.operationId === id)?.operation.responses ?? {});
  const missing = (id: string, statuses: string[]) => statuses.filter((status) => !statusesOf(id).includes(status));
  t.deepEqual(missing("getItem", ["200", "400", "401", "403", "404", "500", "503"]), []);
  t.deepEqual(missing("patchItems", ["202", "400", "401", "403", "404", "413", "415", "500", "503"]), []);
  t.deepEqual(missing("getItem", ["413", "415"]), ["413", "415"]);
  t.deepEqual(missing("linkSingle", ["409"]), []);
  t.deepEqual(missing("listItems", ["409"]), ["409"]);
});

test("an accepted request links to the operation that returns its result", (t) => {
  const leads = operations.flatMap(({ operation }) => {
    const link = operation.responses[202]?.links?.result;
    return link ? [[operation.operationId, link.operationId]] : [];
  });
  const results = new Map(leads as [string, string][]);
  t.is(results.get("patchItems"), "getItemsResult");
  t.is(results.get("patchLabels"), "getLabelsResult");
  for (const { operation } of operations)
    t.is(operation.responses[202] !== undefined, results.has(operation.operationId));
});
