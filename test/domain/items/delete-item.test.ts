import test from "ava";
import { deleteItem, mergeItem } from "../../../domain/items/merge-item.ts";
import { exists, type Item } from "../../../schemas/item.ts";

/** Created at 10 with a name and a brand; price and unit changed at 30. */
const milk: Item = {
  itemId: "milk",
  itemName: "Milk",
  price: "1.29",
  sics: ["385001"],
  properties: [
    { key: "brand", value: "Dukat", stamp: 10 },
    { key: "unit", value: "1 l", stamp: 30 },
  ],
  stamps: { itemName: 10, sics: 10, price: 30 },
  created: 10,
};

test("a deletion clears fields with smaller stamps and keeps those with larger ones", (t) => {
  t.deepEqual(deleteItem(milk, 20), {
    itemId: "milk",
    price: "1.29",
    sics: [],
    properties: [{ key: "unit", value: "1 l", stamp: 30 }],
    stamps: { price: 30 },
    created: 30,
    floor: 20,
  });
});

test("a list of SICs that is newer than the deletion is kept", (t) => {
  t.deepEqual(deleteItem({ ...milk, stamps: { ...milk.stamps, sics: 25 } }, 20)?.sics, ["385001"]);
});

test("an item that survives a deletion counts as created by its earliest remaining row", (t) => {
  t.is(deleteItem({ ...milk, stamps: { ...milk.stamps, itemName: 25 } }, 20)?.created, 25);
  t.is(deleteItem({ ...milk, stamps: { ...milk.stamps, itemName: 35 } }, 20)?.created, 30);
});

test("an item without later rows is a tombstone without values", (t) => {
  const tombstone = deleteItem(milk, 40);
  t.deepEqual(tombstone, {
    itemId: "milk",
    sics: [],
    properties: [],
    stamps: {},
    created: 10,
    floor: 40,
    deleted: true,
  });
  t.false(tombstone && exists(tombstone));
});

test("the deletion's stamp is kept as the floor: a late row with a smaller stamp has no effect", (t) => {
  for (const deletion of [20, 40]) {
    const deleted = deleteItem(milk, deletion);
    const late = { itemId: "milk", itemName: "late", sics: ["late"], properties: { brand: "late" } };
    t.deepEqual(mergeItem(deleted, late, deletion - 1, false), deleted);
  }
});

test("a later row creates the item again without its former fields and keeps the floor", (t) => {
  t.deepEqual(mergeItem(deleteItem(milk, 40), { itemId: "milk", price: "2" }, 50, false), {
    itemId: "milk",
    price: "2",
    sics: [],
    properties: [],
    stamps: { price: 50 },
    created: 50,
    floor: 40,
  });
});

test("deleting an item that is missing, was created later or is already deleted changes nothing", (t) => {
  t.is(deleteItem(undefined, 40), undefined);
  t.is(deleteItem(milk, 9), undefined);
  t.is(deleteItem(deleteItem(milk, 40), 50), undefined);
});

test("repeating a deletion with the same stamp changes nothing", (t) => {
  for (const deletion of [20, 40]) {
    const deleted = deleteItem(milk, deletion);
    t.deepEqual(deleteItem(deleted, deletion), deleted);
  }
});

test("a deletion between two rows clears only the earlier row's fields, even if the later row is applied first", (t) => {
  const later = mergeItem(undefined, { itemId: "milk", price: "2" }, 50, false);
  const both = mergeItem(later, { itemId: "milk", itemName: "Old" }, 30, false);
  const left = deleteItem(both, 40);
  t.is(left?.itemName, undefined);
  t.is(left?.price, "2");
});
