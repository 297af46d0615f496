import test from "ava";
import { addChunkJobs, chunkJobData } from "../../../queues/requests/chunk-jobs.ts";
import { RequestChunk } from "../../../schemas/jobs.ts";
import { parseWith } from "../../../schemas/validate.ts";

test("a chunk's job contains the chunk's key and never its rows", (t) => {
  const chunk = {
    _id: "t/demo/s/main/requests/7/1",
    store: "t/demo/s/main",
    number: 7,
    index: 1,
    chunks: 2,
    operation: "patch-items",
    ordered: true,
    urgency: "bulk" as const,
    rows: '[{"itemId":"1"}]',
    size: 1,
    firstRow: 1000,
    drawnAt: new Date("2026-03-01T08:00:00Z"),
    validFor: 3_000,
    generation: 4,
    open: true,
  };
  const job = chunkJobData(chunk);
  t.deepEqual(parseWith(RequestChunk, "job")(job), {
    key: "t/demo/s/main/requests/7/1",
    store: "t/demo/s/main",
    number: 7,
    index: 1,
    ordered: true,
    size: 1,
  });
});

test("chunks are enqueued together for each queue, and count only if their own queue accepts them", async (t) => {
  const chunk = (number: number, operation: string) => ({
    ...{ _id: `t/demo/s/main/requests/${number}/0`, store: "t/demo/s/main", number, index: 0, ordered: true, size: 1 },
    ...{ operation, urgency: "bulk" as const, generation: 0 },
  });
  const chunks = [chunk(1, "patch-items"), chunk(2, "patch-labels"), chunk(3, "patch-items")];
  const add = async (full?: string) => {
    const asked: [string, number][] = [];
    const enqueue = async (queue: string, jobs: readonly object[]) => {
      asked.push([queue, jobs.length]);
      return queue !== full;
    };
    return { isAdded: await addChunkJobs({ enqueue }, chunks), asked };
  };
  const asked = [
    ["item", 2],
    ["link", 1],
  ];
  t.deepEqual(await add(), { isAdded: true, asked });
  t.deepEqual(await add("link"), { isAdded: false, asked });
});
