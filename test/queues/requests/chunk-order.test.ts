import test from "ava";
import { applyChunks } from "../../../queues/requests/apply-chunks.ts";
import { chunkJobData } from "../../../queues/requests/chunk-jobs.ts";
import type { ApplyJournaledRows } from "../../../queues/requests/stamped-rows.ts";
import type { JournaledChunk } from "../../../records/requests/chunks.ts";
import { journalCollection } from "../../../records/requests/journal.ts";
import { PARTIAL_TTL_MS } from "../../../records/requests/numbers.ts";
import { ownSystem } from "../../harness/own.ts";

const world = ownSystem();

const ROWS_PER_CHUNK = 1_000;

/** Journals a request with this many chunks, whose rows are their indexes. */
async function journal(store: string, chunks: number): Promise<JournaledChunk[]> {
  const rows = Array.from({ length: (chunks - 1) * ROWS_PER_CHUNK + 1 }, (_, index) => index);
  return world.system.accept({ store, operation: "patch-items", rows, ordered: false });
}

/** A handler of chunks, and the first row of each of its calls, in order. */
function handler(now = world.system.now) {
  const begun: number[] = [];
  const rows: number[] = [];
  const apply: ApplyJournaledRows<number> = async (_, given) => {
    begun.push(given[0]?.row ?? -1);
    rows.push(...given.map(({ row }) => row));
    return given.map(({ row }) => [{ itemId: `${row}`, status: "SUCCESS", errors: [] }]);
  };
  const handle = applyChunks({ ...world.system, now }, apply, (row) => ({
    itemId: `${row}`,
    status: "ERROR",
    errors: [],
  }));
  return { begun, rows, handle: (given: readonly JournaledChunk[]) => handle(given.map(chunkJobData)) };
}

const isOpen = async (key: string) => (await world.system.journal.read([key])).get(key)?.open;

test.serial("chunks of one request are applied in order, whatever the order of their jobs", async (t) => {
  const chunks = await journal("t/demo/s/shuffled", 3);
  const { rows, handle } = handler();
  t.deepEqual(await handle(chunks.toReversed()), []);
  t.deepEqual(
    rows,
    Array.from({ length: 2 * ROWS_PER_CHUNK + 1 }, (_, index) => index),
  );
});

test.serial("a chunk waits for each earlier chunk of its request", async (t) => {
  const [first, second, third] = await journal("t/demo/s/waits", 3);
  if (!first || !second || !third) throw new Error("the request has three chunks");
  const { begun, handle } = handler();
  t.deepEqual(await handle([third]), [chunkJobData(third)]);
  t.deepEqual(await handle([third, first]), [chunkJobData(third)], "the second is missing");
  t.deepEqual(await handle([third, second]), []);
  t.deepEqual(begun, [0, ROWS_PER_CHUNK]);
});

test.serial("an incomplete request waits for a minute and is then closed as a whole, without effect", async (t) => {
  const store = "t/demo/s/partial";
  const chunks = await journal(store, 3);
  const journaled = journalCollection(world.system.db);
  await journaled.deleteOne({ _id: chunks[1]?._id ?? "" });
  const [first] = chunks;
  if (first === undefined) throw new Error("the request has three chunks");
  const stored = await world.system.journal.read([first._id]);
  const at = (ms: number) => () => new Date((stored.get(first._id)?.journaledAt.getTime() ?? 0) + ms);
  const early = handler(at(PARTIAL_TTL_MS));
  t.deepEqual(await early.handle([first]), [chunkJobData(first)]);
  t.true(await isOpen(first._id));
  const late = handler(at(PARTIAL_TTL_MS + 1));
  t.deepEqual(await late.handle([first]), [], "its job has ended");
  t.deepEqual([...early.rows, ...late.rows], []);
  t.is(await journaled.countDocuments({ store, open: true }), 0);
});

test.serial("the next request is promoted when a void request before it is closed", async (t) => {
  const store = "t/demo/s/void";
  const [refused] = await journal(store, 1);
  if (refused === undefined) throw new Error("a request of rows has no chunk");
  await journalCollection(world.system.db).updateOne({ _id: refused._id }, { $set: { validFor: -1 } });
  const promoted: string[] = [];
  const handle = applyChunks(
    { ...world.system, promoteNext: async (of) => void promoted.push(of) },
    async () => [],
    () => [],
  );
  t.deepEqual(await handle([chunkJobData(refused)]), []);
  t.deepEqual(promoted, [store]);
  t.false(await isOpen(refused._id));
});
