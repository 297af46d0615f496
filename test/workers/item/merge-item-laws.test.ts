import test from "ava";
import fc from "fast-check";
import { deleteItem } from "../../../workers/item/merge-item.ts";
import { anyPatch, anyRows, mergeAll, oneAfterTheOther, type Step, shuffled, visible } from "./rows.ts";

const inTwoOrders = anyRows.chain((rows) => fc.tuple(fc.constant(rows), shuffled(rows)));

/** Rows that each set something, and a deletion with any stamp. The row that makes the item comes before all else. */
const anyOrderWithDeletion = fc
  .tuple(anyRows, fc.nat(7))
  .map(([rows, place]): Step[] => {
    const spread = rows.map(({ stamp, patch }) => ({
      stamp: stamp * 2 + 1,
      patch: { ...patch, presentation: "shelf" },
    }));
    return [...spread, { stamp: (spread.slice(0, place).at(-1)?.stamp ?? -1) + 1, deletes: true }];
  })
  .chain(([first, ...others]) => shuffled(others).map((anyOrder) => (first ? [first, ...anyOrder] : [])));

test("rows merged in any order give each field the value that the latest row set", (t) => {
  fc.assert(
    fc.property(inTwoOrders, ([rows, anyOrder]) => {
      t.deepEqual(visible(mergeAll(anyOrder, false)), oneAfterTheOther(rows));
    }),
  );
});

test("rows merged in any order give each field the same stamp", (t) => {
  fc.assert(
    fc.property(inTwoOrders, ([rows, anyOrder]) => {
      t.deepEqual(mergeAll(anyOrder, false)?.stamps, mergeAll(rows, false)?.stamps);
    }),
  );
});

test("rows that are the latest when they come are merged as if each took a new stamp", (t) => {
  fc.assert(
    fc.property(anyRows, (rows) => {
      t.deepEqual(visible(mergeAll(rows, true)), oneAfterTheOther(rows));
    }),
  );
});

test("the same price list sent twice stores nothing the second time", (t) => {
  fc.assert(
    fc.property(anyRows, anyPatch, (before, patch) => {
      const once = mergeAll([...before, { stamp: 2000, patch }], true);
      t.deepEqual(mergeAll([{ stamp: 3000, patch }], true, once), once);
    }),
  );
});

test("rows in any order, and a deletion somewhere among them, leave the item that they would have left in turn", (t) => {
  fc.assert(
    fc.property(anyOrderWithDeletion, (steps) => {
      t.deepEqual(visible(mergeAll(steps, false)), oneAfterTheOther(steps));
    }),
  );
});

test("a deletion that is repeated changes nothing", (t) => {
  fc.assert(
    fc.property(anyRows, fc.nat(1000), (rows, stamp) => {
      const once = deleteItem(mergeAll(rows, false), stamp);
      t.deepEqual(once && deleteItem(once, stamp), once);
    }),
  );
});
