import test from "ava";
import { chunkJobData } from "../../../queues/requests/chunk-jobs.ts";
import { RequestChunk } from "../../../schemas/jobs.ts";
import { parseWith } from "../../../schemas/validate.ts";

test("a chunk's job has the key of the chunk, never its rows", (t) => {
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
