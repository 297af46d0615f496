import test from "ava";
import { turnAfter } from "../../../../workers/transmitter/air/turns.ts";

test("as many pages as may run concurrently are sent immediately, and the others one after another at the label server's rate", (t) => {
  const turns = [0, 1, 2, 3, 4, 5, 1_002].map((index) => turnAfter(index, { perSecond: 10, concurrency: 3 }));
  t.deepEqual(turns, [0, 0, 0, 100, 200, 300, 100_000]);
});
