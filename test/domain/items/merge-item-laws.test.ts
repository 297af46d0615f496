import test from "ava";
import fc from "fast-check";
import { deleteItem } from "../../../domain/items/merge-item.ts";
import {
  anyPatch,
  anyRows,
  mergeAll,
  oneAfterTheOther,
  type Step,
  shuffled,
  visible,
} from "../../workers/item/rows.ts";

const inTwoOrders = anyRows.chain((rows) => fc.tuple(fc.constant(rows), shuffled(rows)));

/** Rows that each set a field, and a deletion with any stamp. The row that creates the item comes first. */
const anyOrderWithDeletion = fc
  .tuple(anyRows, fc.nat(7))
  .map(([rows, index]): Step[] => {
    const spread = rows.map(({ stamp, patch }) => ({
      stamp: stamp * 2 + 1,
      patch: { ...patch, presentation: "shelf" },
    }));
    return [...spread, { stamp: (spread.slice(0, index).at(-1)?.stamp ?? -1) + 1, deletes: true }];
  })
  .chain(([first, ...others]) => shuffled(others).map((anyOrder) => (first ? [first, ...anyOrder] : [])));

test("rows merged in any order give each field the value of the latest row", (t) => {
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

test("rows that are the latest when they arrive are merged as if each got a new stamp", (t) => {
  fc.assert(
    fc.property(anyRows, (rows) => {
      t.deepEqual(visible(mergeAll(rows, true)), oneAfterTheOther(rows));
    }),
  );
});

test("sending the same price list twice stores nothing the second time", (t) => {
  fc.assert(
    fc.property(anyRows, anyPatch, (before, patch) => {
      const once = mergeAll([...before, { stamp: 2000, patch }], true);
      t.deepEqual(mergeAll([{ stamp: 3000, patch }], true, once), once);
    }),
  );
});

test("rows and a deletion leave the same item in any order as in sequence", (t) => {
  fc.assert(
    fc.property(anyOrderWithDeletion, (steps) => {
      t.deepEqual(visible(mergeAll(steps, false)), oneAfterTheOther(steps));
    }),
  );
});

/**
 * Rows in any order, then a removal, then later rows in any order. A removal is an ordered request: all earlier rows
 * are applied before it, but later rows may be merged before it as well.
 */
const withRemoval = fc
  .tuple(anyRows, anyRows, fc.constantFrom("brand", "a.b", "__proto__", "constructor"))
  .chain(([before, after, removesProperty]) => {
    const removal: Step = { stamp: 1500, removesProperty };
    const late = after.map(({ stamp, patch }): Step => ({ stamp: stamp + 2000, patch: { ...patch, sics: null } }));
    const [first, ...others] = before;
    return fc.tuple(
      fc.constant([...before, removal, ...late] as Step[]),
      fc.tuple(shuffled(others), shuffled(late), fc.nat(late.length)).map(([early, later, index]): Step[] => {
        return [...(first ? [first] : []), ...early, ...later.slice(0, index), removal, ...later.slice(index)];
      }),
    );
  });

test("a removed property returns only if a later row sets it", (t) => {
  fc.assert(
    fc.property(withRemoval, ([steps, order]) => {
      t.deepEqual(visible(mergeAll(order, false)), oneAfterTheOther(steps));
    }),
  );
});

test("a row accepted before a removal restores nothing when it is applied again afterwards", (t) => {
  fc.assert(
    fc.property(withRemoval, fc.nat(6), ([steps, order], index) => {
      const again = steps.filter(({ stamp }) => stamp < 1500)[index];
      const once = mergeAll(order, false);
      t.deepEqual(visible(mergeAll(again ? [again] : [], false, once)), visible(once));
    }),
  );
});

test("repeating a removal changes nothing", (t) => {
  fc.assert(
    fc.property(anyRows, fc.constantFrom("brand", "a.b"), fc.constantFrom("s1", "s2"), (rows, key, sic) => {
      const item = mergeAll(rows, false);
      const property: Step = { stamp: 1500, removesProperty: key };
      t.deepEqual(mergeAll([property, property], false, item), mergeAll([property], false, item));
      const code: Step = { stamp: 1500, removesSic: sic };
      t.deepEqual(mergeAll([code, code], false, item), mergeAll([code], false, item));
    }),
  );
});

test("codes are removed individually: each removal keeps the other codes", (t) => {
  fc.assert(
    fc.property(anyRows, shuffled(["s1", "s2", "s3"]), (rows, sics) => {
      const steps: Step[] = [...rows, ...sics.map((sic, index) => ({ stamp: 1500 + index, removesSic: sic }))];
      for (const count of [1, 2, 3]) {
        const taken = steps.slice(0, rows.length + count);
        t.deepEqual(visible(mergeAll(taken, false)), oneAfterTheOther(taken));
      }
    }),
  );
});

test("repeating a deletion changes nothing", (t) => {
  fc.assert(
    fc.property(anyRows, fc.nat(1000), (rows, stamp) => {
      const once = deleteItem(mergeAll(rows, false), stamp);
      t.deepEqual(once && deleteItem(once, stamp), once);
    }),
  );
});
