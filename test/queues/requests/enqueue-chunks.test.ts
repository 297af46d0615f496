import test from "ava";
import type { ChunkOfJob } from "../../../queues/requests/chunk-jobs.ts";
import { createEnqueueChunks } from "../../../queues/requests/enqueue-chunks.ts";
import { chunkKey, storeKey } from "../../../schemas/keys.ts";
import type { Urgency } from "../../../schemas/urgency.ts";

const chunk = (store: string, urgency: Urgency, operation: ChunkOfJob["operation"] = "patch-items"): ChunkOfJob => ({
  ...{ _id: chunkKey(store, 7, 0), store, number: 7, index: 0, ordered: true, size: 3 },
  ...{ operation, urgency, generation: 2, cause: { call: "the call" } },
});
const [MAIN, SIDE, OTHER] = [storeKey("demo", "main"), storeKey("demo", "side"), storeKey("other", "main")];

function enqueueScene() {
  const set = { isReady: true, error: undefined as Error | undefined };
  const done: unknown[][] = [];
  const enqueueChunks = createEnqueueChunks({
    publisher: {
      isReady: () => set.isReady,
      async enqueue(queue, jobs) {
        if (set.error) throw set.error;
        done.push(["enqueue", queue, ...jobs]);
        return true;
      },
    },
    bulkJobs: {
      noteConfirmed: async (requests) => void done.push(["confirmed", ...requests.map(({ store }) => store)]),
    },
    admitChunks: async (tenant) => {
      done.push(["let in", tenant]);
      return 1;
    },
    onError: (error) => void done.push(["error", error.message]),
  });
  return { set, done, enqueueChunks };
}

test("interactive chunks are enqueued immediately by their keys, each in its queue", async (t) => {
  const { done, enqueueChunks } = enqueueScene();
  await enqueueChunks([chunk(MAIN, "interactive"), chunk(SIDE, "interactive", "patch-labels")]);
  const job = (store: string, name: string) => ({
    name,
    data: { key: chunkKey(store, 7, 0), store, number: 7, index: 0, ordered: true, size: 3 },
    ...{ urgency: "interactive", id: `${chunkKey(store, 7, 0)}~2`, cause: { call: "the call" } },
  });
  t.deepEqual(done, [
    ["enqueue", "item", job(MAIN, "patch-items")],
    ["enqueue", "link", job(SIDE, "patch-labels")],
  ]);
});

test("bulk chunks are recorded as confirmed and enter Redis at their tenant's turn", async (t) => {
  const { done, enqueueChunks } = enqueueScene();
  await enqueueChunks([chunk(MAIN, "bulk"), chunk(SIDE, "bulk"), chunk(OTHER, "bulk")]);
  t.deepEqual(done, [
    ["confirmed", MAIN, SIDE, OTHER],
    ["let in", "t/demo"],
    ["let in", "t/other"],
  ]);
});

test("while Redis is down, bulk chunks stay in the journal, and the error is reported and not thrown", async (t) => {
  const { set, done, enqueueChunks } = enqueueScene();
  set.isReady = false;
  await enqueueChunks([chunk(MAIN, "bulk")]);
  t.deepEqual(done, []);
  set.error = new Error("Redis is full");
  await enqueueChunks([chunk(MAIN, "interactive")]);
  t.deepEqual(done, [["error", "Redis is full"]]);
});
