import test from "ava";
import { lullsOf } from "../../../../scripts/develop/chaos/lulls.ts";
import type { Waiting } from "../../../../scripts/develop/chaos/waiting.ts";

const waiting = (sending: number): Waiting => ({ chunks: 0, outbox: 0, sending, queues: {}, walks: {} });

test("a lull is a period after the last fault in which no label became correct, with the work that was waiting", (t) => {
  const notes = [
    { at: 2_000, waiting: waiting(1) },
    { at: 9_000, waiting: waiting(2) },
    { at: 10_500, waiting: waiting(3) },
  ];
  const times = [500, 10_000, 4_000, 4_100, 12_000];
  t.deepEqual(lullsOf({ times, since: 1_000, notes, leastMs: 3_000 }), [
    { ms: 3_000, afterMs: 0, waiting: waiting(1) },
    { ms: 5_900, afterMs: 3_100, waiting: waiting(2) },
  ]);
  t.deepEqual(lullsOf({ times: [], since: 1_000, notes, leastMs: 3_000 }), []);
});
