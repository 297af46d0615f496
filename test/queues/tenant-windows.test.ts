import test from "ava";
import { countsOf } from "../../queues/process-counts.ts";
import { type ChangeJob, chunkWindow, isWindowFull } from "../../queues/tenant-windows.ts";
import type { QueueName } from "../../queues/topology.ts";

for (const [processes, ofTenant, ofStore] of [
  [1, 16, 8],
  [2, 32, 16],
  [20, 320, 160],
] as const) {
  test(`a queue with ${processes} processes holds ${ofTenant} chunks of a tenant, and ${ofStore} of one store`, (t) => {
    t.deepEqual(chunkWindow(processes), { ofTenant, ofStore });
  });
}

const jobs = (queue: QueueName, count: number, keys: number): ChangeJob[] =>
  Array.from({ length: count }, () => ({ queue, keys }));
const two = countsOf(["renderer", "renderer"]);

for (const [what, present, processes, isFull] of [
  ["no job", [], countsOf([]), false],
  ["32 jobs of 250 keys", jobs("renderer", 32, 250), countsOf([]), true],
  ["31 jobs of any number of keys", jobs("renderer", 31, 1_000), countsOf([]), false],
  ["32 jobs of 249 keys", jobs("renderer", 32, 249), countsOf([]), false],
  ["1,000 small jobs", jobs("renderer", 1_000, 1), countsOf([]), true],
  ["999 small jobs", jobs("renderer", 999, 1), countsOf([]), false],
  ["32 jobs of a queue with two processes", jobs("renderer", 32, 250), two, false],
  ["64 jobs of a queue with two processes", jobs("renderer", 64, 250), two, true],
  ["63 jobs of a queue with two processes", jobs("renderer", 63, 1_000), two, false],
  ["1,000 small jobs of a queue with two processes", jobs("renderer", 1_000, 1), two, false],
  ["32 jobs of a queue with one process, next to a queue with two", jobs("merger", 32, 250), two, true],
  ["jobs of both queues that are just enough", [...jobs("merger", 16, 250), ...jobs("renderer", 32, 250)], two, true],
  ["jobs of both queues that are one too few", [...jobs("merger", 16, 250), ...jobs("renderer", 31, 250)], two, false],
] as const) {
  test(`${what} ${isFull ? "fill" : "do not fill"} a tenant's window`, (t) => {
    t.is(isWindowFull(present, present.length, processes), isFull);
  });
}

test("a sample yields the number of keys in all jobs", (t) => {
  const sample = jobs("renderer", 1_000, 8);
  const four = countsOf(Array(4).fill("renderer"));
  t.false(isWindowFull(sample, 3_999, four));
  t.true(isWindowFull(sample, 4_000, four));
});
