import test from "ava";
import fc from "fast-check";
import { inBatches } from "../../schemas/in-batches.ts";

test("batches contain all entries in order, and all but the last are full", (t) => {
  fc.assert(
    fc.property(fc.array(fc.integer()), fc.integer({ min: 1, max: 20 }), (all, size) => {
      const batches = inBatches(all, size);
      t.deepEqual(batches.flat(), all);
      t.true(batches.slice(0, -1).every(({ length }) => length === size));
      t.true(batches.every(({ length }) => length > 0 && length <= size));
    }),
  );
});
