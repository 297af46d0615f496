import test from "ava";
import fc from "fast-check";
import { MAX_VERSIONS } from "../../../domain/items/field-versions.ts";
import { mergeItem } from "../../../domain/items/merge-item.ts";
import { removeProperty } from "../../../domain/items/remove-parts.ts";
import { undoList } from "../../../domain/items/undo-list.ts";
import type { Item } from "../../../schemas/item.ts";
import { shuffled } from "../../workers/item/rows.ts";

/** A step of an item's history, in the order of the stamps: a price with or without a list, or the undo of a list. */
type Step = { price: string; list: string | undefined } | { undo: string };

const milk: Item = mergeItem(undefined, { itemId: "milk", itemName: "Milk", price: "start" }, 0, true);
const priced = (item: Item, price: string, stamp: number, list?: string, isLatest = true): Item =>
  mergeItem(item, { itemId: "milk", price, properties: { unitPrice: `${price}/l` } }, stamp, isLatest, list);

const lists = ["spring", "wrong", "worse"] as const;
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ price: fc.constantFrom("1", "2", "3", "4"), list: fc.constantFrom(...lists) }) },
  { weight: 1, arbitrary: fc.record({ price: fc.constantFrom("1", "2"), list: fc.constant(undefined) }) },
  { weight: 2, arbitrary: fc.record({ undo: fc.constantFrom(...lists) }) },
);

/** A model that keeps all writes: the last write whose list was not undone afterwards sets the price. */
function modelPrice(steps: readonly Step[]): string {
  let writes: { price: string; list: string | undefined }[] = [{ price: "start", list: undefined }];
  for (const step of steps) {
    if ("undo" in step) writes = writes.filter(({ list }) => list !== step.undo);
    else if (step.price !== writes.at(-1)?.price) writes.push(step);
  }
  return writes.at(-1)?.price ?? "";
}

const after = (steps: readonly Step[]): Item =>
  steps.reduce(
    (item, step, index) =>
      "undo" in step ? undoList(item, step.undo, index + 1).item : priced(item, step.price, index + 1, step.list),
    milk,
  );

test("overlapping lists and undo in any order lead to the price of the last write that has not been undone", (t) => {
  // Few enough that no version is dropped.
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: MAX_VERSIONS - 1 }), (steps) => {
      const item = after(steps);
      t.is(item.price, modelPrice(steps));
    }),
    { numRuns: 1_000 },
  );
});

test("rows of lists that are applied in any order, and again after their undo, lead to the same price", (t) => {
  const writes = fc
    .array(fc.record({ price: fc.constantFrom("1", "2", "3"), list: fc.constantFrom(...lists, undefined) }), {
      maxLength: MAX_VERSIONS - 1,
    })
    .chain((rows) => {
      const stamped = rows.map((row, index) => ({ ...row, stamp: index + 1 }));
      return fc.tuple(fc.constant(stamped), shuffled(stamped), fc.shuffledSubarray([...lists]));
    });
  fc.assert(
    fc.property(writes, ([rows, anyOrder, undone]) => {
      const apply = (item: Item, { price, stamp, list }: (typeof rows)[number]) =>
        priced(item, price, stamp, list, false);
      const undo = (item: Item) => undone.reduce((one, list, index) => undoList(one, list, 100 + index).item, item);
      const first = undo(anyOrder.reduce(apply, milk));
      const left = rows.filter(({ list }) => list === undefined || !undone.includes(list as (typeof lists)[number]));
      t.is(first.price, left.at(-1)?.price ?? "start");
      // A stalled process continues after the undo, and then the undo is repeated.
      t.is(undo(rows.reduce(apply, first)).price, first.price);
    }),
    { numRuns: 1_000 },
  );
});

test("undo restores text fields and properties, and reports what has changed since", (t) => {
  const wrong = priced(priced(milk, "1", 1), "99", 2, "wrong");
  const since = mergeItem(wrong, { itemId: "milk", price: "3" }, 3, true);
  const { item, restored, kept } = undoList(since, "wrong", 4);
  t.is(item.price, "3");
  t.is(item.properties.find(({ key }) => key === "unitPrice")?.value, "1/l");
  // The newer price belongs to no list, so no version before it is kept.
  t.deepEqual([restored, kept], [["properties/unitPrice"], []]);
  const again = undoList(item, "wrong", 5);
  t.deepEqual([again.item, again.restored], [item, []]);
});

test("a field that had no value before a list has none after its undo", (t) => {
  const { item } = undoList(priced(milk, "2", 1, "wrong"), "wrong", 2);
  t.is(item.price, "start");
  t.is(item.properties.find(({ key }) => key === "unitPrice")?.value, "");
});

test("undoing a list does not restore a property removed after it, and an item that a list creates stores no versions", (t) => {
  const removed = removeProperty(priced(milk, "2", 1, "wrong"), "unitPrice", 2) as Item;
  t.is(undoList(removed, "wrong", 3).item.properties.find(({ key }) => key === "unitPrice")?.value, "");
  t.is(mergeItem(undefined, { itemId: "new", price: "1" }, 1, true, "wrong").versions, undefined);
});

test("an item stores a limited number of versions, and older values can no longer be restored", (t) => {
  const prices = Array.from({ length: 2 * MAX_VERSIONS }, (_, index) => String(index));
  const item = prices.reduce((one, price, index) => priced(one, price, index + 1, `list ${index}`), milk);
  for (const { versions } of item.versions ?? []) t.is(versions.length, MAX_VERSIONS);
  t.deepEqual(undoList(item, "list 2", 100).item, item);
});

test("an item whose versions would be too large stores none", (t) => {
  const large = mergeItem(milk, { itemId: "milk", properties: { text: "x".repeat(4_000) } }, 1, true, "a");
  const texts = Array.from({ length: 10 }, (_, index) => [`text ${index}`, "y".repeat(4_000)]);
  const item = mergeItem(large, { itemId: "milk", properties: Object.fromEntries(texts) }, 2, true, "b");
  t.truthy(large.versions);
  t.is(item.versions, undefined);
});

test("a list is undone completely, however often it has set a price", (t) => {
  const prices = Array.from({ length: 2 * MAX_VERSIONS }, (_, index) => `${index}`);
  const often = prices.reduce((item, price, index) => priced(item, price, index + 1, "wrong"), milk);
  t.is(undoList(often, "wrong", 100).item.price, "start");
  const repeated = prices.reduce((item, price, index) => priced(item, price, index + 1, "wrong", false), often);
  t.deepEqual(repeated, often);
});
