import test from "ava";
import { catalogueOf, unknownIn } from "../../../../api/pages/browser/designer/rules/conditions/known-properties.ts";
import { readingsIn, readProperties } from "../../../../api/pages/browser/designer/rules/conditions/read-properties.ts";
import { hardCases } from "../../../../api/pages/browser/designer/rules/trials/hard-cases.ts";
import { propertiesOf, type ShopItem, spokenName } from "../../../../api/pages/browser/designer/rules/trials/shop.ts";
import { type Traced, whyNot } from "../../../../api/pages/browser/designer/rules/trials/why.ts";

const item = (itemId: string, more: Partial<ShopItem> = {}): ShopItem => ({
  itemId,
  itemName: `Item ${itemId}`,
  price: "1.99",
  itemGroup: null,
  department: null,
  presentation: null,
  properties: { brand: "Dukat", priceKind: "regular" },
  ...more,
});
const items = [
  item("1"),
  item("2", { properties: { brand: "Vindija", priceKind: "special" } }),
  item("3", { price: null }),
  item("4", { properties: { priceKind: "regular" } }),
  item("5", { itemName: "A name that is longer than all of the others" }),
];

test("the items for which rules are likely to go wrong are found, each once, items on labels first", (t) => {
  const expressions = ['item.brand == "Dukat"', 'has(item["unit price"]) || "in" in item', "double(item.price) < 1.0"];
  const read = readProperties(expressions);
  t.deepEqual(read, ["brand", "unit price", "in", "price"]);
  t.deepEqual(
    hardCases(items, ["brand"], () => true),
    [
      { reason: "special", itemId: "2" },
      { reason: "unpriced", itemId: "3" },
      { reason: "lacks", property: "brand", itemId: "4" },
      { reason: "longest", itemId: "5" },
      { reason: "usual", itemId: "1" },
    ],
  );
  const [first] = hardCases(items, [], ({ itemId }) => itemId === "5").slice(-1);
  t.deepEqual(first, { reason: "longest", itemId: "5" });
  t.deepEqual(
    hardCases([], read, () => true),
    [],
  );
});

const known = catalogueOf({
  properties: [
    { name: "itemId", items: 5, values: [{ value: "1" }], areNumbers: true },
    { name: "brand", items: 4, values: [{ value: "Dukat" }, { value: "Vindija" }], areNumbers: false },
    { name: "price", items: 4, values: [{ value: "1.99" }], areNumbers: true },
  ],
});

test("the catalogue offers the properties that items have, with their values", (t) => {
  t.deepEqual(
    known.find(({ field }) => field.key === "brand"),
    { field: { root: "item", key: "brand" }, count: 4, values: ["Dukat", "Vindija"], isNumeric: false },
  );
  t.true(known.find(({ field }) => field.key === "price")?.isNumeric);
  t.false(known.find(({ field }) => field.key === "itemId")?.isNumeric, "an item number counts as text");
  t.is(spokenName("priceKind"), "price kind");
});

test("a property that no item has is found at its place in the expression", (t) => {
  const expression = '"item.colour" != item.brand &&\n  double(item.prize) < 1.0 && has(item["shelf life"])';
  t.deepEqual(readingsIn(expression), [
    { name: "brand", line: 1, column: 23 },
    { name: "prize", line: 2, column: 15 },
    { name: "shelf life", line: 2, column: 41 },
  ]);
  t.deepEqual(
    unknownIn(expression, known).map(({ name }) => name),
    ["prize", "shelf life"],
  );
  t.deepEqual(unknownIn(expression, []), [], "there are no warnings before the items' properties are known");
});

const traced = (more: Partial<Traced> = {}): Traced => ({ id: "a", isAsked: true, value: false, missing: [], ...more });
const why = (expression: string, one: ShopItem, more: Partial<Traced> = {}) =>
  whyNot(traced(more), expression, ({ root, key }) => (root === "item" ? propertiesOf(one).get(key) : undefined));

test("if a rule does not apply, the page says what the item lacks, or the condition that it does not meet", (t) => {
  const brandless = items[3] as ShopItem;
  t.deepEqual(why('item.brand == "Dukat"', brandless), { kind: "lacks", fields: [{ root: "item", key: "brand" }] });
  t.deepEqual(why('has(item.brand) && item.brand == "x"', brandless), {
    kind: "lacks",
    fields: [{ root: "item", key: "brand" }],
  });
  t.deepEqual(why("double(item.price) < 1.0", item("1")), {
    kind: "clause",
    clause: { field: { root: "item", key: "price" }, test: "below", amount: { number: "1" } },
    value: "1.99",
  });
  t.deepEqual(why("!has(item.brand)", item("1")), {
    kind: "clause",
    clause: { field: { root: "item", key: "brand" }, test: "missing" },
    value: "Dukat",
  });
  t.deepEqual(why('item.tags.matches("x")', brandless, { missing: ["item.tags"] }), {
    kind: "lacksPaths",
    paths: ["item.tags"],
  });
  t.deepEqual(why("true", brandless, { isDormant: true }), { kind: "period" });
  t.deepEqual(why("x", brandless, { error: "no number" }), { kind: "error", detail: "no number" });
  t.deepEqual(why('item.tags.matches("x")', brandless), { kind: "otherwise" });
});
