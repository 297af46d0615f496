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

test("an item has the updates that are due until then, in their order, and no later ones", (t) => {
  const updates = [update(5, { price: "2.49" }), update(10, { price: "2.99" }), update(11, { price: "9.99" })];
  t.is(itemAt(bread, updates, at(10))?.price, "2.99");
  t.is(itemAt(bread, updates, at(9))?.price, "2.49");
  t.is(itemAt(bread, updates, at(4))?.price, "1.99");
});

test("what an update does not name stays", (t) => {
  t.is(itemAt(bread, [update(5, { price: "2.49" })], at(5))?.itemName, "Bread");
});

test("an update that failed does not count", (t) => {
  t.is(itemAt(bread, [update(5, { price: "2.49" }, {})], at(5))?.price, "1.99");
});

test("without an item there is none, whatever is scheduled", (t) => {
  t.is(itemAt(undefined, [update(5, { price: "2.49" })], at(5)), undefined);
  const deleted = { ...bread, deleted: true as const };
  t.is(itemAt(deleted, [update(5, { price: "2.49" })], at(5)), deleted);
});
