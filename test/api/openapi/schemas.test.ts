import test from "ava";
import { Type } from "typebox";
import { exampleOf } from "../../../api/openapi/examples.ts";
import { compileCheck } from "../../../schemas/validate.ts";
import { ajv, compile, document, everySchema, type Json, operations, routes, shown } from "./the-document.ts";

test("every schema compiles elsewhere, in strict mode", (t) => {
  for (const [name, schema] of Object.entries(document.components.schemas))
    t.notThrows(() => compile(schema as Json), name);
  for (const { place, schema } of shown) t.notThrows(() => compile(schema), place);
});

test("every example of a parameter, body and answer fits its schema", (t) => {
  t.true(shown.length > 100);
  const wrong = shown.flatMap(({ place, schema, example }) => {
    const validate = compile(schema);
    return validate(example) ? [] : [`${place}: ${JSON.stringify(example)} ${ajv.errorsText(validate.errors)}`];
  });
  t.deepEqual(wrong, [], "give the schema `examples`, or its field an example in api/openapi/fields.ts");
});

test("the server itself takes every example of a request", (t) => {
  for (const { operationId, params, query, body } of routes) {
    for (const schema of [query, body].filter((one) => one !== undefined))
      t.deepEqual(compileCheck(schema)(exampleOf(schema)), [], operationId);
    // A path is of texts, also where the document shows a number.
    const inPath = Object.entries(exampleOf(params ?? Type.Object({})) as object).map(([name, one]) => [
      name,
      String(one),
    ]);
    if (params) t.deepEqual(compileCheck(params)(Object.fromEntries(inPath)), [], operationId);
  }
});

test("every parameter and every field of a component is described", (t) => {
  const parameters = operations.flatMap(({ name, operation }) =>
    operation.parameters.map((one) => ({ place: `${name} ${one.name}`, description: one.description })),
  );
  const fields = Object.entries(document.components.schemas).flatMap(([name, schema]) =>
    Object.entries((schema as { properties?: Record<string, Json> }).properties ?? {}).map(([field, one]) => ({
      place: `${name}.${field}`,
      description: one.description ?? one.$ref,
    })),
  );
  const undescribed = [...parameters, ...fields]
    .filter(({ description }) => description === undefined)
    .map(({ place }) => place);
  t.deepEqual(undescribed, [], "give them a description, or a meaning in api/openapi/fields.ts");
});

test("a field that may be null may be null in each of its keywords", (t) => {
  const refusing = [...everySchema(document.components.schemas)].filter(({ schema: { type, enum: values } }) => {
    const mayBeNull = Array.isArray(type) && type.includes("null");
    return mayBeNull && Array.isArray(values) && !values.includes(null);
  });
  t.deepEqual(refusing, []);
});

test("patterns are such as every engine reads alike", (t) => {
  for (const { place, schema } of everySchema(document)) {
    const { pattern } = schema;
    if (typeof pattern !== "string") continue;
    t.notRegex(pattern, /\\[duwpsDSW]/, place);
    t.notThrows(() => new RegExp(pattern, "u"), place);
    t.notThrows(() => new RegExp(pattern), place);
  }
});

test("no format is of our own", (t) => {
  const formats = [...everySchema(document)]
    .map(({ schema }) => schema.format)
    .filter((one) => typeof one === "string");
  for (const format of formats)
    t.true(["date-time", "binary", "uri", "email", "uuid", "int32", "int64"].includes(format), format);
});
