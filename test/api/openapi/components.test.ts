import test from "ava";
import { Type } from "typebox";
import { createComponents, portablePattern } from "../../../api/openapi/components.ts";
import { exampleOf } from "../../../api/openapi/examples.ts";
import { resultOperationOf, tagOf } from "../../../api/openapi/places.ts";
import { clearless, clearlessIdentifier, identifier, known } from "../../../schemas/text.ts";

const shownOf = (schema: Parameters<ReturnType<typeof createComponents>["refer"]>[0]) =>
  createComponents().refer(schema);

test("a schema with a title appears once, among the components", (t) => {
  const { refer, schemas } = createComponents();
  const Shelf = Type.Object({ name: Type.String({ description: "Its name" }) }, { title: "Shelf" });
  t.deepEqual(refer(Type.Array(Shelf)), { type: "array", items: { $ref: "#/components/schemas/Shelf" } });
  t.deepEqual(refer(Shelf), { $ref: "#/components/schemas/Shelf" });
  t.deepEqual(schemas(), {
    Shelf: { type: "object", required: ["name"], properties: { name: { type: "string", description: "Its name" } } },
  });
});

test("two different schemas with the same title are a programming error", (t) => {
  const { refer } = createComponents();
  refer(Type.Object({ a: Type.String() }, { title: "Shelf" }));
  t.throws(() => refer(Type.Object({ b: Type.String() }, { title: "Shelf" })), { message: /"Shelf"/ });
});

test("a nullable component is the same component, or null", (t) => {
  const { refer, schemas } = createComponents();
  const Shelf = Type.Object({ name: Type.String() }, { title: "Shelf" });
  refer(Shelf);
  t.deepEqual(refer(clearless(Shelf)), { anyOf: [{ $ref: "#/components/schemas/Shelf" }, { type: "null" }] });
  t.deepEqual(Object.keys(schemas()), ["Shelf"]);
});

test("fields may have the names of schema keywords", (t) => {
  const schema = Type.Object({
    title: Type.String(),
    pattern: Type.String(),
    type: Type.Integer(),
    items: Type.Boolean(),
  });
  const { properties } = shownOf(schema) as { properties: Record<string, object> };
  t.deepEqual(Object.keys(properties), ["title", "pattern", "type", "items"]);
  t.like(properties.title, { type: "string" });
});

test("the document omits Ajv's messages; an enum of strings has the type string", (t) => {
  t.deepEqual(shownOf(Type.Unsafe<string>({ enum: ["A", "B"], errorMessage: "is neither" })), {
    type: "string",
    enum: ["A", "B"],
  });
});

const patterns: Record<string, string | undefined> = {
  "^(\\d{1,5})?$": "^([0-9]{1,5})?$",
  "^[1-9]\\d{0,9}$": "^[1-9][0-9]{0,9}$",
  "^[\\d.,-]{1,8}$": "^[0-9.,-]{1,8}$",
  "^[^\\u0000-\\u001f\\u007f-\\u009f\\ud800-\\udfff]*$": "^[^\\x00-\\x1f\\x7f-\\x9f]*$",
  "^[^\\ud800-\\udfff]*$": undefined,
  "^[A-Z]{2}$": "^[A-Z]{2}$",
};
for (const [pattern, portable] of Object.entries(patterns)) {
  test(`the pattern ${pattern} is shown as ${portable}`, (t) => t.is(portablePattern(pattern), portable));
}

test("a local time is documented as a pattern of days and times", (t) => {
  const { pattern } = shownOf(Type.String({ format: "local-date-time" })) as { pattern: string };
  for (const good of ["", "2026-03-09 06:00:00", "2026-12-31 23:59:59"]) t.regex(good, new RegExp(pattern));
  for (const bad of ["2026-03-09", "2026-13-01 00:00:00", "2026-03-09 24:00:00", "2026-03-09T06:00:00"])
    t.notRegex(bad, new RegExp(pattern));
});

test("an example is the schema's own, or is composed of the examples of its fields", (t) => {
  t.is(exampleOf(Type.String({ examples: ["mine"] }), "itemId"), "mine");
  t.is(exampleOf(identifier(128, "Id"), "itemId"), "4711");
  t.is(exampleOf(Type.Integer({ default: 7, minimum: 1 }), "unheard"), 7);
  t.deepEqual(exampleOf(Type.Object({ itemId: Type.String(), price: known(Type.String()), count: Type.Integer() })), {
    itemId: "4711",
    price: "1.99",
    count: 0,
  });
  t.deepEqual(exampleOf(Type.Array(Type.Object({ facings: clearlessIdentifier(5, "Facings") }))), [{ facings: "2" }]);
});

test("a field with another schema type gets a matching example", (t) => {
  t.is(exampleOf(Type.Integer({ minimum: 3 }), "itemId"), 3);
  t.is(exampleOf(Type.Enum(["on", "off"]), "status"), "on");
  t.is(exampleOf(Type.Literal("ok"), "status"), "ok");
});

const places: Record<string, [tag: ReturnType<typeof tagOf>, result: string]> = {
  "/items": ["Items", "getItemsResult"],
  "/items/sic/:sic": ["Items", "getItemsResult"],
  "/items/:itemId/page/:pageIndex": ["Items", "getItemsResult"],
  "/items/:itemId/links": ["Links", "getLabelsResult"],
  "/items/:itemId/flash": ["Actions", "getLabelsResult"],
  "/labels": ["Labels", "getLabelsResult"],
  "/labels/:barcode/links/:displayPosition": ["Links", "getLabelsResult"],
  "/labels/link-single": ["Links", "getLabelsResult"],
  "/labels/models/:barcodeOrLabelType": ["Models", "getLabelsResult"],
  "/links/bulk": ["Links", "getLabelsResult"],
  "/items-result/:requestId": ["Results", "getLabelsResult"],
};
for (const [path, [tag, result]] of Object.entries(places)) {
  test(`${path} has the tag ${tag}`, (t) => {
    t.is(tagOf(path), tag);
    t.is(resultOperationOf(path), result);
  });
}
