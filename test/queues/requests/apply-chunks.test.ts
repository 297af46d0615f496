import test from "ava";
import { MongoServerError } from "mongodb";
import { applyChunks } from "../../../queues/requests/apply-chunks.ts";
import { chunkJobData } from "../../../queues/requests/chunk-jobs.ts";
import type { ApplyJournaledRows } from "../../../queues/requests/stamped-rows.ts";
import type { Attributes } from "../../../queues/tracing/tracing.ts";
import { type AcceptedRequest, type JournaledChunk, numberedChunks } from "../../../records/requests/chunks.ts";
import { journalCollection } from "../../../records/requests/journal.ts";
import { causeOfWrite } from "../../../runtime/causes.ts";
import { openLog } from "../../../runtime/log.ts";
import type { Cause } from "../../../schemas/cause.ts";
import { chunkKey } from "../../../schemas/keys.ts";
import { stampOf } from "../../../schemas/stamp.ts";
import { ownSystem } from "../../harness/own.ts";

/** How a job's chunks change their rows and outcomes, on a real journal. */
const own = ownSystem();
test.beforeEach(async () => void (await journalCollection(own.system.db).deleteMany({})));

interface Row {
  itemId: string;
  fails?: boolean;
  /** Makes the database reject the row, with an error message of the database. */
  isRefused?: boolean;
}
const rowsOf = (...itemIds: string[]): Row[] => itemIds.map((itemId) => ({ itemId }));
async function accept(store: string, rows: Row[], more: Partial<AcceptedRequest> = {}): Promise<JournaledChunk> {
  const [chunk] = await own.system.accept({ store, operation: "patch-items", rows, ordered: false, ...more });
  if (chunk === undefined) throw new Error("a request of rows has a chunk");
  return chunk;
}

function worker({ over = {} as Partial<typeof own.system> } = {}) {
  const applied: { store: string; rows: string[]; urgency: string; stamps: number[]; causes: (Cause | undefined)[] }[] =
    [];
  const steps: { name: string; causes: readonly Cause[]; attributes: Attributes }[] = [];
  const counted: [string, object, number][] = [];
  const promoted: string[] = [];
  const cached: string[] = [];
  const apply: ApplyJournaledRows<Row> = async (store, given, urgency) => {
    if (given.some(({ row }) => row.fails)) throw new Error("a row cannot be applied");
    if (given.some(({ row }) => row.isRefused)) throw new MongoServerError({ message: "at shelfwire.item", code: 2 });
    const stamps = given.map(({ stamp }) => stamp);
    const causes = stamps.map((stamp) => causeOfWrite({ stamp }));
    applied.push({ store, rows: given.map(({ row }) => row.itemId), urgency, stamps, causes });
    return given.map(({ row: { itemId } }) => [{ itemId, status: "SUCCESS", errors: [] }]);
  };
  const { results } = own.system;
  const handle = applyChunks<Row>(
    {
      ...own.system,
      metrics: { count: (name: string, labels: object, by = 1) => void counted.push([name, labels, by]) },
      results: {
        ...results,
        cache: async (chunks) => {
          cached.push(...chunks.map(({ store, number, index }) => chunkKey(store, number, index)));
          await results.cache(chunks);
        },
      },
      promoteNext: async (store) => void promoted.push(store),
      step: (name, causes, attributes, work) => {
        steps.push({ name, causes, attributes });
        return work();
      },
      ...over,
    },
    apply,
    ({ itemId }, { message }) => ({ itemId, status: "ERROR", errors: [message] }),
  );
  const given = (chunks: readonly JournaledChunk[]) => handle(chunks.map(chunkJobData));
  return { handle: given, applied, steps, counted, promoted, cached };
}

const outcomesOf = async ({ store, number }: JournaledChunk) =>
  (await own.system.results.read(store, number))?.outcomes.map(({ itemId, status }) => [itemId, status]);

test.serial("unordered chunks are applied together, store by store, each with its own outcomes", async (t) => {
  const [first, other, second] = [
    await accept("t/demo/s/one", rowsOf("a", "b")),
    await accept("t/demo/s/two", rowsOf("c")),
    await accept("t/demo/s/one", rowsOf("d")),
  ];
  const { handle, applied, steps, counted, promoted, cached } = worker();
  t.deepEqual(await handle([second, other, first]), []);
  t.deepEqual(
    applied.map(({ store, rows }) => [store, rows]),
    [
      ["t/demo/s/one", ["a", "b", "d"]],
      ["t/demo/s/two", ["c"]],
    ],
  );
  const stamps = [stampOf(first.number, 0), stampOf(first.number, 1), stampOf(second.number, 0)];
  t.deepEqual(applied[0]?.stamps, stamps);
  t.deepEqual(await outcomesOf(first), [
    ["a", "SUCCESS"],
    ["b", "SUCCESS"],
  ]);
  t.deepEqual(await outcomesOf(second), [["d", "SUCCESS"]]);
  t.deepEqual(await outcomesOf(other), [["c", "SUCCESS"]]);
  t.deepEqual(promoted.toSorted(), ["t/demo/s/one", "t/demo/s/two"]);
  t.deepEqual(cached.toSorted(), [first, second, other].map(({ _id }) => _id).toSorted());
  const rows = "shelfwire_rows_applied_total";
  t.deepEqual(
    counted.map(([name, labels, by]) => [name, labels, by]),
    [2, 1, 1].map((by) => [rows, { tenant: "t/demo" }, by]),
  );
  const attributes = { operation: "patch-items" };
  t.deepEqual(
    steps.map((step) => [step.name, step.attributes]),
    [
      ["apply", { store: "t/demo/s/one", chunks: 2, rows: 3, ...attributes }],
      ["apply", { store: "t/demo/s/two", chunks: 1, rows: 1, ...attributes }],
    ],
  );
});

test.serial("each write names the call of its request, or the request if the call is unknown", async (t) => {
  const store = "t/demo/s/causes";
  const called = await accept(store, rowsOf("a"), { cause: { call: "a call" } });
  const unknown = await accept(store, rowsOf("b"));
  const { handle, applied, steps } = worker();
  await handle([called, unknown]);
  t.like(steps[0]?.causes[0], { request: called.number, call: "a call" });
  t.deepEqual(steps[0]?.causes[1], { request: unknown.number });
  t.deepEqual(
    applied[0]?.causes.map((cause) => [cause?.request, cause?.call]),
    [
      [called.number, "a call"],
      [unknown.number, undefined],
    ],
  );
});

test.serial("if one row fails, only that row is refused, and all other rows of its chunks are applied", async (t) => {
  const store = "t/demo/s/refused";
  const bad = await accept(store, [...rowsOf("a"), { itemId: "b", fails: true }, ...rowsOf("c")]);
  const good = await accept(store, rowsOf("d"));
  await worker().handle([bad, good]);
  t.deepEqual(await outcomesOf(bad), [
    ["a", "SUCCESS"],
    ["b", "ERROR"],
    ["c", "SUCCESS"],
  ]);
  t.deepEqual(await outcomesOf(good), [["d", "SUCCESS"]]);
});

test.serial("a row that the database rejects fails without the database's message, which is logged", async (t) => {
  const lines: string[] = [];
  const log = openLog("item", "error", { write: (line) => void lines.push(line) });
  const chunk = await accept("t/demo/s/refused", [{ itemId: "a", isRefused: true }]);
  const { handle } = worker({ over: { log } });
  await handle([chunk]);
  const read = await own.system.results.read(chunk.store, chunk.number);
  t.deepEqual(
    read?.outcomes.map(({ errors }) => errors),
    [["the database rejected it because of an internal fault, which is logged"]],
  );
  t.is(lines.length, 1);
  t.like(JSON.parse(lines[0] ?? ""), { chunk: chunk._id, error: { message: "at shelfwire.item", code: 2 } });
});

test.serial("ordered requests are applied one after another, in number order", async (t) => {
  const store = "t/demo/s/ordered";
  const [first, second, third, fourth] = [
    await accept(store, rowsOf("a"), { ordered: true }),
    await accept(store, rowsOf("b"), { ordered: true }),
    await accept(store, rowsOf("c"), { ordered: true }),
    await accept(store, rowsOf("d")),
  ];
  const { handle, applied, promoted } = worker();
  t.deepEqual(await handle([third]), [chunkJobData(third)]);
  t.deepEqual(promoted.splice(0), [store], "requests that an interactive request awaits are promoted");
  t.deepEqual(await handle([second, fourth, third, first]), []);
  t.deepEqual(
    applied.map(({ rows }) => rows),
    [["d"], ["a"], ["b"], ["c"]],
  );
  t.deepEqual(promoted, [store]);
  t.deepEqual(await handle([first, fourth]), [], "applied chunks are not applied again");
  t.is(applied.length, 4);
});

test.serial("requests of another store do not wait, and the next request of the same store is promoted", async (t) => {
  await accept("t/demo/s/waits", rowsOf("a"), { ordered: true });
  const waits = await accept("t/demo/s/waits", rowsOf("b"), { ordered: true });
  const free = await accept("t/demo/s/free", rowsOf("c"), { ordered: true });
  const { handle, applied, promoted } = worker();
  t.deepEqual(await handle([waits, free]), [chunkJobData(waits)]);
  t.deepEqual(
    applied.map(({ rows }) => rows),
    [["c"]],
  );
  t.deepEqual(promoted, ["t/demo/s/waits", "t/demo/s/free"]);
});

test.serial("if another process settles a chunk first, that process counts and reports the chunk's rows", async (t) => {
  const chunk = await accept("t/demo/s/late", rowsOf("a"));
  const journal = { ...own.system.journal, settle: async () => false };
  const { handle, counted, cached } = worker({ over: { journal } });
  await handle([chunk]);
  t.deepEqual([counted, cached], [[], []]);
});

test.serial("chunks closed without effect count no rows and are reported", async (t) => {
  const chunk = await accept("t/demo/s/void", rowsOf("a"));
  await journalCollection(own.system.db).updateOne({ _id: chunk._id }, { $set: { validFor: -1 } });
  const { handle, counted, cached, applied } = worker();
  t.deepEqual(await handle([chunk]), []);
  t.deepEqual([counted, applied, cached], [[], [], [chunk._id]]);
});

test.serial("a request waits for its missing chunk, and its store's complete requests do not", async (t) => {
  const store = "t/demo/s/half";
  const whole = await accept(store, rowsOf("a"));
  const parts = [
    { rows: JSON.stringify(rowsOf("b")), size: 1, firstRow: 0 },
    { rows: JSON.stringify(rowsOf("c")), size: 1, firstRow: 1 },
  ];
  const split = { request: { store, operation: "patch-items", ordered: false }, parts, bytes: 1 };
  const drawnAt = (await own.system.journal.read([whole._id])).get(whole._id)?.drawnAt ?? new Date();
  const [first, second] = numberedChunks(split, whole.number + 1, drawnAt, 600_000);
  if (first === undefined || second === undefined) throw new Error("there are two chunks");
  const insert = (chunk: JournaledChunk) =>
    journalCollection(own.system.db).insertOne({ ...chunk, journaledAt: new Date() });
  await insert(first);
  // By this clock the missing chunk may still arrive, however long this test takes.
  const { handle, applied } = worker({ over: { now: () => drawnAt } });
  t.deepEqual(await handle([first, whole]), [chunkJobData(first)]);
  await insert(second);
  t.deepEqual(await handle([second, first]), []);
  t.deepEqual(
    applied.map(({ rows, stamps }) => [rows, stamps]),
    [
      [["a"], [stampOf(whole.number, 0)]],
      [
        ["b", "c"],
        [stampOf(first.number, 0), stampOf(first.number, 1)],
      ],
    ],
  );
});

test.serial("a complete request is applied, however long it has waited", async (t) => {
  const chunk = await accept("t/demo/s/waited", rowsOf("a"));
  const { handle, applied } = worker({ over: { now: () => new Date(Date.now() + 3_600_000) } });
  t.deepEqual(await handle([chunk]), []);
  t.is(applied.length, 1);
  t.deepEqual(await outcomesOf(chunk), [["a", "SUCCESS"]]);
});
