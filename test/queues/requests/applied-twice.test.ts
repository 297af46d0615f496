import test from "ava";
import { applyChunks } from "../../../queues/requests/apply-chunks.ts";
import { chunkJobData } from "../../../queues/requests/chunk-jobs.ts";
import { journalCollection } from "../../../records/requests/journal.ts";
import type { Outcome } from "../../../schemas/request.ts";
import { ownSystem } from "../../harness/own.ts";

const world = ownSystem();

const request = (store: string) => ({ store, operation: "patch-items", rows: [{ itemId: "milk" }], ordered: false });

test.serial("a chunk that two workers apply concurrently keeps the first outcomes, in Redis as well", async (t) => {
  const store = "t/demo/s/twice";
  const [chunk] = await world.system.accept(request(store));
  if (chunk === undefined) throw new Error("a request of rows has no chunk");
  const { promise, resolve } = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const applying = (status: Outcome["status"], wait: Promise<void>) =>
    applyChunks(
      world.system,
      async () => {
        begun.resolve();
        await wait;
        return [[{ itemId: "milk", status, errors: [] }]];
      },
      () => ({ status: "ERROR", errors: [] }),
    );
  const slow = applying("SUCCESS", promise)([chunkJobData(chunk)]);
  await begun.promise;
  await applying("SUCCESS_NEW_ITEM", Promise.resolve())([chunkJobData(chunk)]);
  resolve();
  await slow;
  t.is((await world.system.results.read(store, 1))?.outcomes[0]?.status, "SUCCESS_NEW_ITEM");
});

test.serial("a void chunk settles its number, and no sweep enqueues it", async (t) => {
  const store = "t/demo/s/void";
  const [chunk] = await world.system.accept(request(store));
  const journal = journalCollection(world.system.db);
  await journal.updateOne({ _id: chunk?._id ?? "" }, { $set: { validFor: -1 } });
  t.is(await world.system.numbers.settledThrough(store), 1);
  const { chunks, dead } = await world.system.openChunks.readPage("interactive", undefined, 10);
  t.deepEqual([chunks, dead], [[], [chunk?._id ?? ""]]);
});
