import test from "ava";
import fc from "fast-check";
import { inLanes } from "../../../runtime/batch/in-lanes.ts";

/** Work that ends when the test says so, in any order. */
function heldWork() {
  const begun: number[] = [];
  const open = new Map<number, PromiseWithResolvers<void>>();
  const work = (entry: number) => {
    begun.push(entry);
    const end = Promise.withResolvers<void>();
    open.set(entry, end);
    return end.promise.finally(() => open.delete(entry));
  };
  return { begun, open, work };
}

const turn = () => new Promise((next) => setImmediate(next));

test("entries begin in order, each once, as many at a time as there are lanes", async (t) => {
  const scenes = fc.tuple(fc.nat({ max: 12 }), fc.integer({ min: 1, max: 4 }), fc.infiniteStream(fc.nat()));
  await fc.assert(
    fc.asyncProperty(scenes, async ([count, lanes, choices]) => {
      const { begun, open, work } = heldWork();
      const all = Array.from({ length: count }, (_, index) => index);
      const done = inLanes(all, lanes, work);
      for (let ended = 0; ended < count; ended += 1) {
        t.is(open.size, Math.min(lanes, count - ended));
        const ends = [...open.values()];
        ends[choices.next().value % ends.length]?.resolve();
        await turn();
      }
      await done;
      t.deepEqual(begun, all);
    }),
    { numRuns: 50 },
  );
});

test("after a failure nothing more begins, and work that had begun ends first", async (t) => {
  const { begun, open, work } = heldWork();
  let isOver = false;
  const done = inLanes([0, 1, 2, 3], 2, work).finally(() => {
    isOver = true;
  });
  open.get(0)?.reject(new Error("entry 0"));
  await turn();
  t.false(isOver, "entry 1 is in progress");
  open.get(1)?.resolve();
  await t.throwsAsync(done, { message: "entry 0" });
  t.deepEqual(begun, [0, 1]);
});
