import test from "ava";
import fc from "fast-check";
import { compile } from "../../../domain/expression/expression.ts";
import { itemReader, itemVariables, scenarioVariables, valueReader } from "../../../domain/expression/variables.ts";
import type { Item } from "../../../schemas/item.ts";

const own = {
  itemId: "milk",
  itemName: "Milk",
  price: "1.29",
  itemGroup: "dairy",
  department: "fresh",
  presentation: "shelf",
};
const itemWith = (...pairs: [key: string, value: string][]): Item => ({
  ...own,
  sics: ["385001"],
  properties: pairs.map(([key, value]) => ({ key, value, stamp: 1 })),
  stamps: { price: 1 },
  created: 1,
});

test("item holds the properties, and the item's own fields under their names", (t) => {
  t.deepEqual(itemVariables(itemWith(["brand", "Dukat"])), new Map(Object.entries({ ...own, brand: "Dukat" })));
});

test("a field that the item lacks is absent", (t) => {
  const bare: Item = { itemId: "milk", sics: [], properties: [], stamps: {}, created: 1 };
  t.deepEqual([...itemVariables(bare).keys()], ["itemId"]);
});

for (const name of Object.keys(own)) {
  test(`a property named ${name} takes precedence over the item's own field`, (t) => {
    t.is(itemVariables(itemWith([name, "property"])).get(name), "property");
  });
}

test("a removed property is absent and does not hide the field with its name", (t) => {
  const variables = itemVariables(itemWith(["brand", ""], ["price", ""]));
  t.deepEqual([variables.has("brand"), variables.get("price")], [false, "1.29"]);
});

test("codes, stamps and other stored data are invisible to an expression", (t) => {
  const names = [...itemVariables(itemWith()).keys()];
  t.deepEqual(names.sort(), Object.keys(own).sort());
});

test("every property is found under its own key, whatever the key is", (t) => {
  const keys = fc.oneof(fc.constantFrom("__proto__", "constructor", "a.b", "$set", "price", "sics"), fc.string());
  fc.assert(
    fc.property(fc.uniqueArray(fc.tuple(keys, fc.string({ minLength: 1 })), { selector: ([key]) => key }), (pairs) => {
      const map = itemVariables(itemWith(...pairs));
      for (const [key, value] of pairs) t.is(map.get(key), value);
      t.is(map.size, new Set([...Object.keys(own), ...pairs.map(([key]) => key)]).size);
    }),
  );
});

test("reading a value by its path and building the maps return the same values", (t) => {
  const keys = fc.constantFrom("brand", "price", "itemId", "sics", "__proto__", "a.b");
  const pairs = fc.uniqueArray(fc.tuple(keys, fc.string()), { selector: ([key]) => key });
  const links = fc.record({ location: fc.string(), facings: fc.constantFrom("1", "007") }, { requiredKeys: [] });
  const names = ["brand", "price", "itemId", "sics", "__proto__", "a.b", "nothing"];
  const readItem = itemReader(names);
  fc.assert(
    fc.property(fc.array(fc.tuple(pairs, links), { maxLength: 5 }), (cases) => {
      for (const [properties, link] of cases) {
        const item = itemWith(...properties);
        const given = { item, link, type: 1328 };
        const map = itemVariables(item);
        t.deepEqual(
          readItem(item),
          names.map((name) => map.get(name)),
        );
        t.is(valueReader("link", "location")(given), link.location);
        t.is(valueReader("link", "facings")(given), link.facings);
        t.is(valueReader("device", "type")(given), 1328);
        t.is(valueReader("device", "width")(given), undefined);
        t.is(valueReader("link", "type")(given), undefined);
        t.is(valueReader("device", "facings")(given), undefined);
        t.is(valueReader("device", "location")(given), undefined);
      }
    }),
  );
});

const facings: [text: string, number: bigint][] = [
  ["1", 1n],
  ["007", 7n],
  ["99999", 99999n],
];
for (const [text, number] of facings) {
  test(`the facings "${text}" become the CEL integer ${number}`, (t) => {
    t.deepEqual(scenarioVariables(itemWith(), { facings: text }, 1328).link, { facings: number });
  });
}

test("a link has its location and facings if they are set, and a device has its type as an integer", (t) => {
  t.like(scenarioVariables(itemWith(), { location: "aisle 4" }, 1328), {
    link: { location: "aisle 4" },
    device: { type: 1328n },
  });
  t.deepEqual(scenarioVariables(itemWith(), {}, 1328).link, {});
});

test("a property named constructor does not affect the item's other expressions", (t) => {
  const variables = scenarioVariables(itemWith(["constructor", "mine"]), {}, 1328);
  t.true(compile('item.itemId == "milk"').evaluate(variables));
  t.true(compile('item.constructor == "mine" && has(item.constructor)').evaluate(variables));
  t.false(compile("has(item.get) || has(item.size)").evaluate(variables));
});
