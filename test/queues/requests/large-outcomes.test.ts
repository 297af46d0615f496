import test from "ava";
import { applyChunks } from "../../../queues/requests/apply-chunks.ts";
import { chunkJobData } from "../../../queues/requests/chunk-jobs.ts";
import { type JournaledChunk, numberedChunks } from "../../../records/requests/chunks.ts";
import { journalCollection } from "../../../records/requests/journal.ts";
import { drawNumbers } from "../../../records/requests/numbers.ts";
import type { RequestChunk } from "../../../schemas/jobs.ts";
import type { LabelPatch } from "../../../schemas/label.ts";
import { rowErrors, rowNotice } from "../../../schemas/row-notice.ts";
import { buildLinkWorker } from "../../../workers/link/process.ts";
import { ownSystem } from "../../harness/own.ts";

/** Requests whose outcomes are many times as large as their rows, on a real journal. */
const own = ownSystem();

/** Rows of a request whose outcomes exceed 16 MiB. */
const ROWS = 500;
const LINKS = 256;
const NAME = "n".repeat(64);
/** A row for an unknown label, with a barcode of the maximum length and the maximum number of links. */
const unknownLabel = (index: number, links = LINKS): LabelPatch => ({
  barcode: `${index}${NAME}`.slice(0, 64),
  links: Array.from({ length: links }, () => ({ itemId: "x" })),
});
const unknownLabels = Array.from({ length: ROWS }, (_, index) => unknownLabel(index));

/** A process's handlers. */
const aWorker = () => buildLinkWorker(own.system, { BARCODE_PATTERN: "^(?<type>\\d{4})\\d$" }).handlers.link;
const accept = (store: string, rows: readonly LabelPatch[]) =>
  own.system.accept({ store, operation: "patch-labels", rows, ordered: true });
const readResult = (store: string, number: number) => own.system.results.read(store, number);

/** Handles jobs until none is waiting. */
async function applyAll(chunks: readonly JournaledChunk[]): Promise<void> {
  let jobs: readonly RequestChunk[] = chunks.map(chunkJobData);
  while (jobs.length > 0) {
    const waiting = [...(await aWorker()["patch-labels"](jobs))] as RequestChunk[];
    if (waiting.length === jobs.length) throw new Error("none of the chunks was applied");
    jobs = waiting;
  }
}

/** A request in a single chunk, as an earlier release stored it. */
async function journalWhole(store: string, rows: readonly unknown[], operation: string): Promise<JournaledChunk> {
  const { first, drawnAt } = await drawNumbers(own.system.db, store, 1);
  const parts = [{ rows: JSON.stringify(rows), size: rows.length, firstRow: 0 }];
  const split = { request: { store, operation, ordered: true }, parts, bytes: 1 };
  const [chunk] = numberedChunks(split, first, drawnAt, 60_000);
  if (chunk === undefined) throw new Error("the request has one chunk");
  await journalCollection(own.system.db).insertOne({ ...chunk, journaledAt: new Date() });
  return chunk;
}

test.serial(
  "a request with many links is split into chunks with few outcomes, and all outcomes are kept",
  async (t) => {
    const store = "t/demo/s/split";
    const rows = unknownLabels.slice(0, 50);
    const chunks = await accept(store, rows);
    t.true(chunks.length >= (rows.length * LINKS) / 2_000);
    await applyAll(chunks);
    const result = await readResult(store, chunks[0]?.number ?? 0);
    t.is(result?.status, "COMPLETED");
    t.is(result?.outcomes.length, rows.length * LINKS);
    t.true(result?.outcomes.every(({ status, errors }) => status === "UNKNOWN" && errors.length === 1));
    const stored = await journalCollection(own.system.db).find({ store }).toArray();
    t.true(stored.every(({ outcomes = "" }) => outcomes.length > 0 && outcomes.length < 4 * 2 ** 20));
  },
);

test.serial("a chunk whose outcomes exceed 16 MiB keeps all of them, and its store continues after it", async (t) => {
  const store = "t/demo/s/whole";
  const large = await journalWhole(store, unknownLabels, "patch-labels");
  const [next] = await accept(store, [unknownLabel(0, 1)]);
  if (next === undefined) return t.fail();
  t.deepEqual(await aWorker()["patch-labels"]([chunkJobData(large)]), []);
  const result = await readResult(store, large.number);
  t.deepEqual([result?.status, result?.outcomes.length], ["COMPLETED", ROWS * LINKS]);
  t.true(JSON.stringify(result?.outcomes).length > 16 * 2 ** 20);
  t.deepEqual(
    result?.outcomes.map(({ barcode }) => barcode),
    unknownLabels.flatMap(({ barcode }) => Array.from({ length: LINKS }, () => barcode)),
    "in the order of the rows",
  );
  await applyAll([next]);
  t.is((await readResult(store, next.number))?.status, "COMPLETED");
  t.is(await own.system.numbers.settledThrough(store), next.number);
});

test.serial("a very long error is truncated, and its chunk ends", async (t) => {
  const store = "t/demo/s/long";
  const [chunk] = await own.system.accept({ store, operation: "patch-items", rows: [{ itemId: "a" }], ordered: true });
  if (chunk === undefined) return t.fail();
  const apply = async (): Promise<never> => {
    throw new Error("e".repeat(2 ** 20));
  };
  const handle = applyChunks<{ itemId: string }>(own.system, apply, ({ itemId }, { message }) => {
    const notices = Array.from({ length: 101 }, () => rowNotice("ROW_FAILED", { detail: message }));
    return { itemId, status: "ERROR", ...rowErrors(...notices) };
  });
  t.deepEqual(await handle([chunkJobData(chunk)]), []);
  const [outcome] = (await readResult(store, chunk.number))?.outcomes ?? [];
  t.like(outcome, { itemId: "a", status: "ERROR" });
  t.regex(outcome?.errors[0] ?? "", /^e{1000}$/);
  t.is(outcome?.errors.at(-1), "1 more errors are omitted");
  t.is(outcome?.notices, undefined, "a notice has no shorter form");
});

test.serial("a chunk that cannot be applied ends with errors, and its neighbours are applied", async (t) => {
  const store = "t/demo/s/poison";
  const unreadable = await journalWhole(store, [], "patch-items");
  await journalCollection(own.system.db).updateOne({ _id: unreadable._id }, { $set: { rows: '[{"itemId":"a"}, ' } });
  const unwritable = await journalWhole(store, [{ itemId: "b" }, { itemId: "c" }], "patch-items");
  const good = await journalWhole(store, [{ itemId: "d" }], "patch-items");
  const apply = async (_: string, rows: readonly { row: { itemId: string } }[]) =>
    rows.map(({ row: { itemId } }) => [{ itemId, status: "SUCCESS" as const, errors: [] }]);
  const { journal } = own.system;
  /** A database that always rejects one chunk's outcomes. */
  const settle: typeof journal.settle = async (outcomes) => {
    if (outcomes.get(unwritable._id)?.some((outcome) => "status" in outcome && outcome.status === "SUCCESS"))
      throw new Error("a value is refused");
    return journal.settle(outcomes);
  };
  const handle = applyChunks<{ itemId: string }>({ ...own.system, journal: { ...journal, settle } }, apply, () => []);
  for (const chunk of [unreadable, unwritable, good]) t.deepEqual(await handle([chunkJobData(chunk)]), []);
  const [first, second, third] = await Promise.all(
    [unreadable, unwritable, good].map(async ({ number }) => (await readResult(store, number))?.outcomes),
  );
  t.like(first, { length: 1, 0: { status: "ERROR" } });
  t.deepEqual(
    second?.map(({ itemId, status, errors }) => [itemId, status, errors]),
    ["b", "c"].map((itemId) => [itemId, "ERROR", ["the row could not be applied: a value is refused"]]),
  );
  t.like(third, { length: 1, 0: { itemId: "d", status: "SUCCESS" } });
  t.is(await own.system.numbers.settledThrough(store), good.number);
});
