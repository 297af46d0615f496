import test from "ava";
import fc from "fast-check";
import { rowsOf } from "../../../api/links/links-bulk.ts";

const names = (prefix: string, most: number) =>
  fc.integer({ min: 1, max: most }).map((count) => Array.from({ length: count }, (_, index) => `${prefix}${index}`));

test("rows contain every pair once, in order, with at most a thousand pairs per row", (t) => {
  fc.assert(
    fc.property(names("s", 60), names("i", 2600), (storeIds, itemIds) => {
      const rows = rowsOf(storeIds, itemIds);
      const pairs = rows.flatMap((row) =>
        row.storeIds.flatMap((store) => row.itemIds.map((item) => `${store} ${item}`)),
      );
      t.deepEqual(
        pairs,
        storeIds.flatMap((store) => itemIds.map((item) => `${store} ${item}`)),
      );
      t.true(rows.every((row) => row.storeIds.length * row.itemIds.length <= 1000));
    }),
    { numRuns: 30 },
  );
});

test("with the maximum number of pairs each row still has its own stamp", (t) => {
  const many = Array.from({ length: 100_000 }, (_, index) => String(index));
  t.is(rowsOf(["main"], many).length, 100);
  t.is(rowsOf(many, ["milk"]).length, 100);
  t.true(rowsOf(many.slice(0, 143), many.slice(0, 699)).length < 200);
});
