import test from "ava";
import { Type } from "typebox";
import { clientDocument } from "../../../api/openapi/derived/client-document.ts";
import { exampleOf } from "../../../api/openapi/examples.ts";
import { compileCheck } from "../../../schemas/validate.ts";
import { ajv, compile, document, everySchema, type Json, routes, shown } from "./the-document.ts";

test("every schema compiles with another validator in strict mode", (t) => {
  for (const [name, schema] of Object.entries(document.components.schemas))
    t.notThrows(() => compile(schema as Json), name);
  for (const { place, schema } of shown) t.notThrows(() => compile(schema), place);
});

test("every example of a parameter, body and response fits its schema", (t) => {
  t.true(shown.length > 100);
  const wrong = shown.flatMap(({ place, schema, example }) => {
    const validate = compile(schema);
    return validate(example) ? [] : [`${place}: ${JSON.stringify(example)} ${ajv.errorsText(validate.errors)}`];
  });
  t.deepEqual(wrong, [], "give the schema `examples`, or its field an example in api/openapi/fields.ts");
});

test("the server accepts every example of a request", (t) => {
  for (const { operationId, params, query, body } of routes) {
    for (const schema of [query, body].filter((one) => one !== undefined))
      t.deepEqual(compileCheck(schema)(exampleOf(schema)), [], operationId);
    // A path is text, even if the document shows a number.
    const inPath = Object.entries(exampleOf(params ?? Type.Object({})) as object).map(([name, one]) => [
      name,
      String(one),
    ]);
    if (params) t.deepEqual(compileCheck(params)(Object.fromEntries(inPath)), [], operationId);
  }
});

const documents: Record<string, Json> = {
  whole: document as unknown as Json,
  public: clientDocument(document as unknown as Json, "public"),
  management: clientDocument(document as unknown as Json, "management"),
  both: clientDocument(document as unknown as Json, "both"),
};

for (const [name, one] of Object.entries(documents)) {
  const { paths, components } = one as unknown as typeof document;
  const componentOf = (ref: unknown) => components.schemas[String(ref).split("/").at(-1) ?? ""] as Json | undefined;
  /** A field has its own description, or is a component (or null) that has one. */
  const isDescribed = ({ description, $ref, anyOf }: Json): boolean =>
    [description, componentOf($ref)?.description].some((text) => typeof text === "string" && text !== "") ||
    (Array.isArray(anyOf) && anyOf.some((branch) => branch.$ref !== undefined && isDescribed(branch)));

  test(`every parameter and every field of the document "${name}" is described, at any depth`, (t) => {
    const parameters = Object.entries(paths).flatMap(([path, methods]) =>
      Object.values(methods).flatMap(({ parameters: own }) =>
        own.map((each) => ({ place: `${path} ${each.name}`, schema: each as unknown as Json })),
      ),
    );
    const fields = [...everySchema(one)].flatMap(({ place, schema }) =>
      // A condition names fields that the object already describes.
      schema.type === undefined ||
      /\/(properties|examples?|value|default)$/.test(place) ||
      /\/(examples?|value)\//.test(place)
        ? []
        : Object.entries((schema.properties ?? {}) as Record<string, Json>).map(([field, each]) => ({
            place: `${place}.${field}`,
            schema: each,
          })),
    );
    t.true(fields.length > 300, `${fields.length} fields`);
    const undescribed = [...parameters, ...fields].filter(({ schema }) => !isDescribed(schema));
    t.deepEqual(
      undescribed.map(({ place }) => place),
      [],
      "give them a description, or a meaning in api/openapi/fields.ts",
    );
  });
}

test("a nullable field allows null in each of its keywords", (t) => {
  const refusing = [...everySchema(document.components.schemas)].filter(({ schema: { type, enum: values } }) => {
    const mayBeNull = Array.isArray(type) && type.includes("null");
    return mayBeNull && Array.isArray(values) && !values.includes(null);
  });
  t.deepEqual(refusing, []);
});

test("every regular expression engine reads the patterns in the same way", (t) => {
  for (const { place, schema } of everySchema(document)) {
    const { pattern } = schema;
    if (typeof pattern !== "string") continue;
    t.notRegex(pattern, /\\[duwpsDSW]/, place);
    t.notThrows(() => new RegExp(pattern, "u"), place);
    t.notThrows(() => new RegExp(pattern), place);
  }
});

test("the document uses only common formats", (t) => {
  const formats = [...everySchema(document)]
    .map(({ schema }) => schema.format)
    .filter((one) => typeof one === "string");
  for (const format of formats)
    t.true(["date-time", "binary", "uri", "email", "uuid", "int32", "int64"].includes(format), format);
});
