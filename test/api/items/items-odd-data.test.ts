import test from "ava";
import { itemOutcomes } from "../../harness/glass.ts";
import { servedStack } from "../../harness/served-stack.ts";
import { bodyOf, deleteItem, type ItemBody, numberOf, pointersOf, readItem, refused, writeItems } from "../calls.ts";

/** Unusual valid data is returned unchanged; invalid data is refused and changes nothing. */
const shelfwire = servedStack({ workers: ["item"] });

const patch = async (path: string, body: unknown) => {
  const outcomes = await itemOutcomes(shelfwire, await numberOf(await shelfwire.call("PATCH", path, body)));
  return outcomes.map(({ status }) => status);
};
const listed = async (itemId: string) =>
  (await bodyOf<ItemBody[]>(await shelfwire.call("GET", "/items?limit=1000"))).find((item) => item.itemId === itemId);

const names = ["__proto__", "constructor", "prototype", "toString", "$set", "$where", "unit.price", ".", "a/b~c", " "];
/**
 * Properties as JSON text, so that `__proto__` becomes a key when it is parsed; in an object literal it would set the prototype.
 */
const oddProperties = `{${names.map((name, index) => `${JSON.stringify(name)}: "value ${index}"`).join(", ")}}`;

for (const [form, send] of Object.entries({
  "PATCH /items": (id: string) => patch("/items", `[{"itemId": "${id}", "properties": ${oddProperties}}]`),
  "PATCH /items/{itemId}": (id: string) => patch(`/items/${id}`, `{"properties": ${oddProperties}}`),
})) {
  test.serial(`${form}: property names are plain data, whether read, listed or sent back`, async (t) => {
    const itemId = `odd-${form.length}`;
    t.deepEqual(await send(itemId), ["SUCCESS_NEW_ITEM"]);
    const expected = Object.entries(JSON.parse(oddProperties)).sort();
    t.deepEqual(Object.entries((await readItem(shelfwire, itemId)).properties).sort(), expected);
    t.deepEqual(Object.entries((await listed(itemId))?.properties ?? {}).sort(), expected);
    const { value } = await bodyOf<{ value: object }>(await shelfwire.call("GET", `/items/${itemId}`));
    t.deepEqual(await patch(`/items/${itemId}`, JSON.stringify(value)), ["SUCCESS"]);
    t.deepEqual(Object.entries((await readItem(shelfwire, itemId)).properties).sort(), expected);
    t.is(({} as Record<string, unknown>)["value 0"], undefined, "the calls changed nothing else");
  });
}

for (const itemId of ["sic", "page", "links", "scheduled", "models", "null", "undefined", "%2e%2e", "a//b", "a+b"]) {
  test.serial(`an item may be called "${itemId}"`, async (t) => {
    const path = `/items/${encodeURIComponent(itemId)}`;
    t.deepEqual(await patch(path, { price: itemId }), ["SUCCESS_NEW_ITEM"]);
    t.is((await listed(itemId))?.price, itemId);
    t.is((await bodyOf<{ value: ItemBody }>(await shelfwire.call("GET", path))).value.itemId, itemId);
    const deletion = await shelfwire.call("DELETE", path);
    t.is((await itemOutcomes(shelfwire, await numberOf(deletion)))[0]?.status, "SUCCESS");
    t.is(await listed(itemId), undefined);
  });
}

test.serial("the longest strings are measured in characters, not bytes, and are returned unchanged", async (t) => {
  const long = (count: number) => "🍎".repeat(count);
  const item = {
    itemId: long(128),
    itemName: long(1024),
    price: long(32),
    itemGroup: long(128),
    department: long(128),
    presentation: long(128),
    sics: Array.from({ length: 100 }, (_, index) => "🍐".repeat(60) + `${index}`.padStart(4, "0")),
    properties: Object.fromEntries(Array.from({ length: 256 }, (_, index) => [`${index}`.padStart(128, "é"), "x"])),
  };
  item.properties.longest = long(4096);
  delete item.properties[`0`.padStart(128, "é")];
  t.is((await writeItems(shelfwire, [item]))[0]?.status, "SUCCESS_NEW_ITEM");
  const { lastUpdated, validFrom, links, ...read } = await readItem(shelfwire, item.itemId);
  t.deepEqual(read, item);
});

test.serial("a duplicate field in a row or its properties is refused and changes nothing", async (t) => {
  for (const body of [
    '[{"itemId": "twice", "price": "1", "price": "2"}]',
    '[{"itemId": "twice", "properties": {"a": "1", "a": "2"}}]',
  ]) {
    const problem = await refused(t, await shelfwire.call("PATCH", "/items", body), 400);
    t.is(problem.type, "/problems/duplicate-field");
  }
  await refused(t, await shelfwire.call("GET", "/items/twice"), 404);
});

const operators = [{ $gt: "" }, { $ne: null }, ["a"], 1, true];
const fields = ["itemId", "itemName", "price", "itemGroup", "department", "presentation", "validFrom", "lastUpdated"];
/** Without this header, forms other than the strict ones are tolerated (test/api/tolerance). */
const strict = { prefer: "handling=strict" };
test("every text field refuses an operator, a number and a list", async (t) => {
  for (const value of operators) {
    const row = { itemId: "apple", ...Object.fromEntries(fields.map((field) => [field, value])) };
    const answer = await shelfwire.call(
      "PATCH",
      "/items",
      [{ ...row, sics: [value], properties: { a: value } }],
      strict,
    );
    const expected = [...fields.map((field) => `/0/${field}`), "/0/properties/a", "/0/sics/0"].sort();
    t.deepEqual(pointersOf(await refused(t, answer, 400)), expected, JSON.stringify(value));
    const deletion = await shelfwire.call("DELETE", "/items", { itemIds: [value] }, strict);
    t.deepEqual(pointersOf(await refused(t, deletion, 400)), ["/itemIds/0"]);
  }
});

test.serial("an operator in a path is treated as an ID", async (t) => {
  await writeItems(shelfwire, [{ itemId: "kept" }]);
  for (const itemId of ['{"$gt":""}', "[$ne]", ".*"]) {
    t.is((await deleteItem(shelfwire, itemId))[0]?.status, "ITEM_NOT_FOUND");
    await refused(t, await shelfwire.call("GET", `/items/${encodeURIComponent(itemId)}`), 404);
  }
  t.is((await readItem(shelfwire, "kept")).itemId, "kept");
});

for (const path of ["/items/a%00b", "/items/a%0Ab", "/items/%7F", "/items/%C2%85"]) {
  test(`${path} contains a control character and is refused by every operation`, async (t) => {
    for (const [method, end] of [
      ["GET", ""],
      ["GET", "/scheduled"],
      ["DELETE", ""],
      ["DELETE", "/properties/a"],
      ["DELETE", "/page/0"],
    ] as const) {
      const problem = await refused(t, await shelfwire.call(method, `${path}${end}`), 400);
      t.deepEqual(pointersOf(problem), ["/path/itemId"], `${method} ${end}`);
    }
    t.deepEqual(pointersOf(await refused(t, await shelfwire.call("PATCH", path, {}), 400)), ["/path/itemId"]);
  });
}

test("very deep JSON and very long strings are refused", async (t) => {
  const deep = `[{"itemId": "deep", "properties": ${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}}]`;
  await refused(t, await shelfwire.call("PATCH", "/items", deep), 400);
  const long = [{ itemId: "long", itemName: "x".repeat(10_000_000) }];
  const problem = await refused(t, await shelfwire.call("PATCH", "/items", long), 400);
  t.deepEqual(pointersOf(problem), ["/0/itemName"]);
  t.true(JSON.stringify(problem).length < 2_000, "and not sent back");
});
