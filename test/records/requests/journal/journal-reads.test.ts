import test from "ava";
import { createAcceptance } from "../../../../records/requests/accept.ts";
import type { JournaledChunk } from "../../../../records/requests/chunks.ts";
import { openRowsInFlight } from "../../../../records/requests/in-flight.ts";
import { type Journal, openJournal } from "../../../../records/requests/journal.ts";
import { ownDatabase } from "../../../harness/own.ts";

/** Longer than any machine takes to answer. */
const WITHIN_MS = 600_000;
/** More rows than fit in two chunks. */
const ROWS = 2_500;

const world = ownDatabase();
let journal: Journal;
test.before(() => {
  journal = openJournal(world.db, () => new Date());
});

async function accept(store: string, count: number): Promise<JournaledChunk[]> {
  const rows = Array.from({ length: count }, (_, index) => ({ itemId: String(index) }));
  const acceptOne = createAcceptance(world.db, () => performance.now(), WITHIN_MS);
  return acceptOne({ store, operation: "patch-items", rows, ordered: false });
}

test("a request is read with all of its chunks, in order and without their rows, and an unknown request has none", async (t) => {
  const store = "t/read/s/main";
  const chunks = await accept(store, ROWS);
  t.true(chunks.length > 2);
  const number = chunks[0]?.number ?? 0;
  const read = await journal.readRequest(store, number);
  t.deepEqual(
    read.map(({ _id }) => _id),
    chunks.map(({ _id }) => _id),
  );
  t.true(read.every((chunk) => !("rows" in chunk) && !("outcomes" in chunk)));
  for (const [of, unknown] of [
    [store, number + 1],
    ["t/read/s/other", number],
  ] as const) {
    t.deepEqual(await journal.readRequest(of, unknown), []);
    t.deepEqual(await journal.readOutcomes(of, unknown), []);
  }
});

test("a chunk keeps its first outcomes, and a settled chunk begins no new generation", async (t) => {
  const store = "t/settled/s/main";
  const [chunk] = await accept(store, 1);
  if (chunk === undefined) return t.fail();
  t.true(await journal.settle(new Map([[chunk._id, []]])));
  const outcome = { itemId: "0", status: "ERROR" as const, errors: ["late"] };
  t.false(await journal.settle(new Map([[chunk._id, [outcome]]])));
  await journal.beginNextGeneration([chunk]);
  const [read] = await journal.readOutcomes(store, chunk.number);
  t.like(read, { open: false, outcomes: [], generation: 0 });
});

test("only a tenant's own open rows and chunks are counted, up to a limit", async (t) => {
  const [first] = await accept("t/counted/s/main", 3);
  await accept("t/counted/s/second", ROWS);
  await accept("t/counted-too/s/main", 7);
  const count = openRowsInFlight(world.db, 100);
  const all = await count("t/counted");
  t.deepEqual(all, { rows: 3 + ROWS, chunks: 1 + Math.ceil(ROWS / 1_000) });
  await journal.settle(new Map([[first?._id ?? "", []]]));
  t.deepEqual(await count("t/counted"), { rows: ROWS, chunks: all.chunks - 1 });
  t.is((await openRowsInFlight(world.db, 2)("t/counted")).chunks, 2);
  t.deepEqual(await count("t/none"), { rows: 0, chunks: 0 });
});
