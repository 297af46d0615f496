import test from "ava";
import { createCommit } from "../../../queues/changes/commit.ts";
import { resolveCodes } from "../../../queues/linking/load-linking-facts.ts";
import { chunkJobData } from "../../../queues/requests/chunk-jobs.ts";
import type { RecordKind } from "../../../records/kind.ts";
import { sics } from "../../../records/kinds/items.ts";
import { openOutbox } from "../../../records/outbox/outbox.ts";
import type { ItemPatch } from "../../../schemas/item.ts";
import type { RequestChunk } from "../../../schemas/jobs.ts";
import { buildItemWorker } from "../../../workers/item/process.ts";
import { ownSystem } from "../../harness/own.ts";
import { type Gate, inTurns } from "../../harness/searches/turns.ts";

/** A process stalls while it applies a request, and the request's codes move to another item before it continues. */
const own = ownSystem();

async function accept(store: string, row: ItemPatch): Promise<RequestChunk> {
  const [chunk] = await own.system.accept({ store, operation: "patch-items", rows: [row], ordered: true });
  if (chunk === undefined) throw new Error("nothing was journaled");
  return chunkJobData(chunk);
}

/** Applies a chunk; if there is a gate, each read and write of assignments waits for it. */
async function apply(job: RequestChunk, gate?: Gate): Promise<void> {
  const records = gate ? inTurns(own.system.records, gate, [sics as RecordKind<never>]) : own.system.records;
  const commit = createCommit({ ...own.system, records, outbox: openOutbox(own.system.db) });
  const system = { ...own.system, records, commit };
  const { handlers } = buildItemWorker(system, { BARCODE_PATTERN: "(?<type>\\d{4})\\d$", SWEEP_EVERY: 30 });
  await handlers.item["patch-items"]([job]);
}

/** Starts to apply a chunk, and stalls before its `step`th read or write of assignments. */
async function stall(job: RequestChunk, step: number): Promise<() => Promise<void>> {
  const reached = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  let steps = 0;
  const running = apply(job, async () => {
    steps += 1;
    if (steps !== step) return;
    reached.resolve();
    await released.promise;
  });
  await Promise.race([reached.promise, running]);
  return () => {
    released.resolve();
    return running;
  };
}

const put = async (store: string, row: ItemPatch) => apply(await accept(store, row));
const ownerOf = async (store: string) => (await resolveCodes(own.system.records, store, ["1"]))("1");

/** The steps at which the process stalls: before it assigns, before it reads and assigns, or before it releases a freed code. */
for (const step of [1, 2, 3]) {
  test(`a code belongs to the item of the last request, even if an earlier request stalls at step ${step} of its assignment`, async (t) => {
    const store = `t/demo/s/assigned-${step}`;
    // An assignment of a deleted item, so that the code is known and its assignment is read before it is written.
    await put(store, { itemId: "old", sics: ["1"] });
    await put(store, { itemId: "old", sics: ["2"] });
    await own.system.commit.change(sics, [`${store}/sics/1`], () => ({ itemId: "old" }), "bulk");
    const first = await accept(store, { itemId: "milk", sics: ["1"] });
    const resume = await stall(first, step);
    await apply(first);
    await put(store, { itemId: "milk", sics: ["3"] });
    await put(store, { itemId: "bread", sics: ["1"] });
    await resume();
    t.is(await ownerOf(store), "bread");
  });

  test(`a code that its item lists again stays assigned, even if the row that freed it stalls at step ${step}`, async (t) => {
    const store = `t/demo/s/freed-${step}`;
    await put(store, { itemId: "milk", sics: ["1"] });
    const freeing = await accept(store, { itemId: "milk", sics: ["2"] });
    const resume = await stall(freeing, step);
    await apply(freeing);
    await put(store, { itemId: "milk", sics: ["1", "2"] });
    await resume();
    t.is(await ownerOf(store), "milk");
  });
}
