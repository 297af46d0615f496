import test from "ava";
import { itemAt } from "../../../domain/items/item-at.ts";
import { mergeItem } from "../../../domain/items/merge-item.ts";

const at = (seconds: number): Date => new Date(seconds * 1000);
const bread = mergeItem(undefined, { itemId: "bread", itemName: "Bread", price: "1.99" }, 1_000_000, true);
const update = (seconds: number, fields: object, failed?: object) => ({
  due: at(seconds),
  patch: JSON.stringify({ itemId: "bread", ...fields }),
  ...(failed && { failed: { at: at(0), errors: ["refused"] } }),
});

test("at a given time, an item has all updates that are due by then, in order, and no later updates", (t) => {
  const updates = [update(5, { price: "2.49" }), update(10, { price: "2.99" }), update(11, { price: "9.99" })];
  t.is(itemAt(bread, updates, at(10))?.price, "2.99");
  t.is(itemAt(bread, updates, at(9))?.price, "2.49");
  t.is(itemAt(bread, updates, at(4))?.price, "1.99");
});

test("fields that an update does not name stay unchanged", (t) => {
  t.is(itemAt(bread, [update(5, { price: "2.49" })], at(5))?.itemName, "Bread");
});

test("a failed update does not count", (t) => {
  t.is(itemAt(bread, [update(5, { price: "2.49" }, {})], at(5))?.price, "1.99");
});

test("a missing item stays missing, whatever is scheduled", (t) => {
  t.is(itemAt(undefined, [update(5, { price: "2.49" })], at(5)), undefined);
  const deleted = { ...bread, deleted: true as const };
  t.is(itemAt(deleted, [update(5, { price: "2.49" })], at(5)), deleted);
});
