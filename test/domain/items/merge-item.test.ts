import test from "ava";
import { mergeItem } from "../../../domain/items/merge-item.ts";
import type { Item, ItemPatch } from "../../../schemas/item.ts";

const milk: Item = {
  itemId: "milk",
  itemName: "Milk",
  price: "1.29",
  itemGroup: "dairy",
  department: "fresh",
  presentation: "shelf",
  sics: ["385001", "385002"],
  properties: [
    { key: "brand", value: "Dukat", stamp: 10 },
    { key: "unit", value: "1 l", stamp: 10 },
  ],
  stamps: { itemName: 10, price: 10, itemGroup: 10, department: 10, presentation: 10, sics: 10 },
  created: 10,
};
const patch = (fields: Omit<ItemPatch, "itemId">): ItemPatch => ({ itemId: "milk", ...fields });
/** Properties as parsed from JSON: unlike in the literal `{ __proto__: "x" }`, every key is a property. */
const properties = (...pairs: [string, string][]): Record<string, string> => Object.fromEntries(pairs);
const pairsOf = (item: Item) => item.properties.map(({ key, value }) => [key, value]);

const nothing: [name: string, fields: Omit<ItemPatch, "itemId">][] = [
  ["an absent field", {}],
  ["null", { itemName: null, price: null, itemGroup: null, department: null, presentation: null }],
  ["null instead of a list or a map", { sics: null, properties: null, links: null, validFrom: null }],
  ['""', { itemName: "", price: "", itemGroup: "", department: "", presentation: "" }],
  ["[]", { sics: [] }],
  ["{}", { properties: {} }],
  ['a property that is ""', { properties: { brand: "" } }],
];
for (const [name, fields] of nothing) {
  test(`a partial update never clears: ${name} leaves the item unchanged`, (t) => {
    t.deepEqual(mergeItem(milk, patch(fields), 20, false), milk);
  });
}

test("a partial update sets only the fields that it names", (t) => {
  const merged = mergeItem(milk, patch({ price: "0.99", presentation: null }), 20, false);
  t.deepEqual(merged, { ...milk, price: "0.99", stamps: { ...milk.stamps, price: 20 } });
});

test("a price is returned exactly as it was sent", (t) => {
  for (const price of ["0", "00.10", " 1 ", "1,29 €", "ask us"]) {
    t.is(mergeItem(milk, patch({ price }), 20, false).price, price);
  }
});

test("the stored item has no lastUpdated, links or validFrom", (t) => {
  const sent = { lastUpdated: "2026-01-01T00:00:00+01:00", links: [], validFrom: "2026-01-01 00:00:00" };
  t.deepEqual(mergeItem(milk, patch(sent), 20, false), milk);
});

test("properties merge by key: keys that a row does not name are kept", (t) => {
  const merged = mergeItem(milk, patch({ properties: { unit: "2 l", fat: "2.8 %" } }), 20, false);
  t.deepEqual(merged.properties, [
    { key: "brand", value: "Dukat", stamp: 10 },
    { key: "unit", value: "2 l", stamp: 20 },
    { key: "fat", value: "2.8 %", stamp: 20 },
  ]);
});

for (const key of ["__proto__", "constructor", "toString", "$set", "a.b", " ", "stamps"]) {
  test(`the property key "${key}" is only data`, (t) => {
    const merged = mergeItem(undefined, patch({ properties: properties([key, "1"], ["other", "2"]) }), 20, false);
    t.deepEqual(pairsOf(merged), [
      [key, "1"],
      ["other", "2"],
    ]);
    const again = mergeItem(merged, patch({ properties: properties([key, "3"]) }), 30, false);
    t.deepEqual(pairsOf(again), [
      [key, "3"],
      ["other", "2"],
    ]);
    t.is(Object.getPrototypeOf(again), Object.prototype);
  });
}

test("a non-empty list of SICs replaces the item's list, in order and without duplicates", (t) => {
  t.deepEqual(mergeItem(milk, patch({ sics: ["385009", "385001", "385009"] }), 20, false).sics, ["385009", "385001"]);
});

test("stamps are compared for each field, and the older one loses", (t) => {
  const merged = mergeItem(milk, patch({ price: "9.99", properties: { brand: "late", fat: "2.8 %" } }), 5, false);
  t.is(merged.price, "1.29");
  t.deepEqual(pairsOf(merged), [
    ["brand", "Dukat"],
    ["unit", "1 l"],
    ["fat", "2.8 %"],
  ]);
  t.is(mergeItem({ ...milk, stamps: {} }, patch({ price: "9.99" }), 5, false).price, "9.99");
});

test("the same row with the same stamp changes nothing", (t) => {
  const row = patch({ price: "0.99", sics: ["1"], properties: { brand: "new" } });
  const once = mergeItem(milk, row, 20, false);
  t.deepEqual(mergeItem(once, row, 20, false), once);
});

test("resending a value takes the new stamp as long as a row with a smaller number may still arrive", (t) => {
  const merged = mergeItem(milk, patch({ price: "1.29", properties: { unit: "1 l" } }), 20, false);
  t.is(merged.stamps.price, 20);
  t.is(merged.properties.find(({ key }) => key === "unit")?.stamp, 20);
  t.is(mergeItem(merged, patch({ price: "0.50" }), 15, false).price, "1.29");
});

test("a row creates a missing item with its stamp", (t) => {
  t.deepEqual(mergeItem(undefined, patch({ price: "1" }), 7, true), {
    itemId: "milk",
    price: "1",
    sics: [],
    properties: [],
    stamps: { price: 7 },
    created: 7,
  });
});

test("merging does not modify its input", (t) => {
  const before = structuredClone(milk);
  mergeItem(milk, patch({ price: "0.99", sics: ["1"], properties: { brand: "new", fat: "2.8 %" } }), 20, true);
  t.deepEqual(milk, before);
});

test("sending the same codes twice changes nothing", (t) => {
  const once = mergeItem(milk, patch({ sics: ["9", "9"] }), 20, true);
  t.deepEqual(once.sics, ["9"]);
  t.deepEqual(mergeItem(once, patch({ sics: ["9", "9"] }), 30, true), once);
});

test("the earliest row creates an item, even if it is applied later", (t) => {
  t.is(mergeItem(milk, patch({ itemName: "Old" }), 5, false).created, 5);
});
