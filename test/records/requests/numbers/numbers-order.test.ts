import test from "ava";
import { createAcceptance } from "../../../../records/requests/accept.ts";
import { type Chunk, isVoid, journalCollection, openJournal } from "../../../../records/requests/journal.ts";
import { counterCollection, drawNumbers, openNumbers } from "../../../../records/requests/numbers.ts";
import { insertChunks } from "../../../../records/requests/store-chunks.ts";
import { chunkKey } from "../../../../schemas/keys.ts";
import type { Outcome } from "../../../../schemas/request.ts";
import { wrapped } from "../../../harness/databases/wrapped-db.ts";
import { ownDatabase } from "../../../harness/own.ts";

const GAP_TIMEOUT_MS = 30_000;
const DONE: Outcome[] = [{ itemId: "milk", status: "SUCCESS", errors: [] }];

const database = ownDatabase();

const aChunk = (store: string, number: number) => ({
  ...{ _id: chunkKey(store, number, 0), store, number, index: 0, chunks: 1, rows: "[]", size: 1, firstRow: 0 },
  ...{ operation: "patch-items", ordered: true, urgency: "bulk" as const, generation: 0 },
});

/** A store created by the test, with the given number of requests and of chunks in each. */
async function aStore(name: string, requests: readonly number[]) {
  const store = `t/demo/s/${name}`;
  const journal = openJournal(database.db, () => new Date());
  const accept = createAcceptance(database.db, () => performance.now(), 600_000);
  for (const chunks of requests) {
    const rows = Array.from({ length: 1_000 * (chunks - 1) + 1 }, () => ({}));
    await accept({ store, operation: "patch-items", rows, ordered: true });
  }
  const chunk = (number: number, index = 0) => ({ _id: chunkKey(store, number, index) });
  const collection = journalCollection(database.db);
  return {
    store,
    journal,
    settle: (...numbers: number[]) =>
      journal.settle(new Map(numbers.map((number): [string, Outcome[]] => [chunkKey(store, number, 0), DONE]))),
    settleChunk: (number: number, index: number) => journal.settle(new Map([[chunkKey(store, number, index), DONE]])),
    /** As if the database had stored the chunk after its caller was refused. */
    makeVoid: (number: number, index = 0) => collection.updateOne(chunk(number, index), { $set: { validFor: -1 } }),
    /** As if the chunk had never reached the journal. */
    lose: (number: number, index = 0) => collection.deleteOne(chunk(number, index)),
    numbers: (clock: () => number = () => 0) => openNumbers(database.db, clock, GAP_TIMEOUT_MS),
  };
}

test("a store without requests waits for nothing", async (t) => {
  const { store, numbers } = await aStore("new", []);
  t.is(await numbers().settledThrough(store), 0);
  t.true(await numbers().isSettledBefore(store));
});

test("numbers are settled up to the first open number, even if later ones are settled", async (t) => {
  const { store, numbers, settle } = await aStore("open", [1, 1, 1, 1, 1]);
  t.is(await numbers().settledThrough(store), 0);
  await settle(1, 2, 4);
  t.is(await numbers().settledThrough(store), 2);
  await settle(3);
  t.is(await numbers().settledThrough(store), 4);
  await settle(5);
  t.is(await numbers().settledThrough(store), 5);
});

test("a request is settled when each of its chunks is", async (t) => {
  const { store, numbers, settleChunk } = await aStore("chunks", [3]);
  await settleChunk(1, 0);
  await settleChunk(1, 2);
  t.is(await numbers().settledThrough(store), 0);
  await settleChunk(1, 1);
  t.is(await numbers().settledThrough(store), 1);
});

test("a void request does not block others, even if only one of its chunks is void", async (t) => {
  const { store, numbers, settle, makeVoid } = await aStore("void", [1, 3, 1]);
  await settle(1, 3);
  t.is(await numbers().settledThrough(store), 1);
  await makeVoid(2, 1);
  t.is(await numbers().settledThrough(store), 3);
});

test("a caller that needs exactly the known progress gets it without a read, and any other caller gets what is read", async (t) => {
  const { store, numbers, settle } = await aStore("at-least", [1, 1, 1]);
  await settle(1);
  const process = numbers();
  t.deepEqual(await process.progress(store), { settledThrough: 1, last: 3 });
  await settle(2);
  t.is(await process.settledAtLeast(store, 1), 1, "known");
  t.is(await process.settledAtLeast(store, 2), 2, "read");
  t.is(await numbers().settledAtLeast(store, 0), 0, "0 is always enough");
});

test("a store that was removed and created again has no settled numbers at first", async (t) => {
  const { store, numbers, settle } = await aStore("again", [1, 1]);
  await settle(1, 2);
  const process = numbers();
  t.is(await process.settledAtLeast(store, 2), 2);
  await counterCollection(database.db).deleteOne({ _id: store });
  await journalCollection(database.db).deleteMany({ store });
  t.is((await drawNumbers(database.db, store, 1)).first, 1);
  t.is(await process.settledAtLeast(store, 0), 0);
});

test("a number missing from the journal blocks later numbers until it has been missing for long enough", async (t) => {
  const { store, numbers, settle, lose } = await aStore("gap", [1, 1, 1]);
  await settle(1, 3);
  await lose(2);
  let time = 1_000_000;
  const patient = numbers(() => time);
  t.is(await patient.settledThrough(store), 1);
  time += GAP_TIMEOUT_MS - 1;
  t.is(await patient.settledThrough(store), 1);
  time += 1;
  t.is(await patient.settledThrough(store), 3);
});

test("a number counts as missing from the first read by a process, not from the process's start", async (t) => {
  const { store, numbers, lose } = await aStore("first-look", [1]);
  await lose(1);
  let time = 0;
  const process = numbers(() => time);
  time = 10 * GAP_TIMEOUT_MS;
  t.is(await process.settledThrough(store), 0);
  time += GAP_TIMEOUT_MS;
  t.is(await process.settledThrough(store), 1);
});

test("a request that is only partly in the journal counts as missing", async (t) => {
  const { store, numbers, settle, settleChunk, lose } = await aStore("partial", [3, 1]);
  await settle(2);
  await settleChunk(1, 0);
  await settleChunk(1, 1);
  await lose(1, 2);
  let time = 0;
  const process = numbers(() => time);
  t.is(await process.settledThrough(store), 0);
  time = GAP_TIMEOUT_MS;
  t.is(await process.settledThrough(store), 2);
});

test("a missing number ages even while an earlier request is open", async (t) => {
  const { store, numbers, settle, lose } = await aStore("behind", [1, 1]);
  await lose(2);
  let time = 0;
  const process = numbers(() => time);
  await process.settledThrough(store);
  time = GAP_TIMEOUT_MS;
  t.is(await process.settledThrough(store), 0);
  await settle(1);
  t.is(await process.settledThrough(store), 2);
});

test("missing numbers age concurrently, however many there are", async (t) => {
  const count = 650;
  const { store, numbers } = await aStore("gaps", []);
  const isMissing = (number: number) => number % 30 === 1 || (number > 300 && number < 420);
  const journaled = Array.from({ length: count }, (_, index) => index + 1).filter((number) => !isMissing(number));
  await drawNumbers(database.db, store, count);
  const collection = journalCollection(database.db);
  const dates = { drawnAt: new Date(0), journaledAt: new Date(1), validFor: 2 };
  await collection.insertMany(
    journaled.map((number) => ({ ...aChunk(store, number), ...dates, open: number > 600 }) as Chunk),
  );
  let time = 0;
  const process = numbers(() => time);
  t.is(await process.settledThrough(store), 0);
  time = GAP_TIMEOUT_MS;
  t.is(await process.settledThrough(store), 601, "up to the first open request");
  await collection.updateMany({ store }, { $set: { open: false } });
  t.is(await process.settledThrough(store), count);
  t.is(await collection.countDocuments({ store }), count);
});

test("a closed number is settled in every process, and chunks that arrive for it later are void", async (t) => {
  const { store, numbers, lose } = await aStore("closed", [1, 3]);
  const collection = journalCollection(database.db);
  const late = await collection.find({ store }).toArray();
  await lose(1);
  await lose(2, 1);
  let time = 0;
  const process = numbers(() => time);
  t.is(await process.settledThrough(store), 0);
  time = GAP_TIMEOUT_MS;
  t.is(await process.settledThrough(store), 2);
  await counterCollection(database.db).updateOne({ _id: store }, { $unset: { settledThrough: true } });
  t.is(await numbers().settledThrough(store), 2, "a process that has never missed the number");
  const missing = [chunkKey(store, 1, 0), chunkKey(store, 2, 1)];
  const arriving = late.map(({ journaledAt: _, ...chunk }) => chunk);
  const refused = await insertChunks(database.db, arriving);
  t.deepEqual([...refused].toSorted(), arriving.map(({ _id }) => _id).toSorted());
  for (const chunk of await collection.find({ _id: { $in: missing } }).toArray()) t.true(isVoid(chunk));
});

test("a request that arrives before its number is closed is not closed", async (t) => {
  const { store, lose } = await aStore("arrived", [1]);
  const collection = journalCollection(database.db);
  const [chunk] = await collection.find({ store }).toArray();
  if (chunk === undefined) throw new Error("a request has a chunk");
  await lose(1);
  let time = 0;
  let isArriving = false;
  // The chunk arrives between the read that misses it and the write that closes its number.
  const arriving = wrapped(database.db, async (name, method, _, call) => {
    if (isArriving && name === "journal" && method === "bulkWrite") {
      isArriving = false;
      await collection.insertOne(chunk);
    }
    return call();
  });
  const process = openNumbers(arriving, () => time, GAP_TIMEOUT_MS);
  await process.settledThrough(store);
  time = GAP_TIMEOUT_MS;
  isArriving = true;
  t.is(await process.settledThrough(store), 0);
  t.false(isArriving);
  t.deepEqual(await collection.find({ store }).toArray(), [chunk]);
});

test("settled numbers stay settled in every process after the journal is cleaned up", async (t) => {
  const { store, numbers, settle } = await aStore("forgotten", [1, 1, 1]);
  await settle(1, 2);
  t.is(await numbers().settledThrough(store), 2);
  await journalCollection(database.db).deleteMany({ store, number: { $lte: 2 } });
  t.is(await numbers().settledThrough(store), 2);
  await settle(3);
  t.is(await numbers().settledThrough(store), 3);
});

test("all numbers are read, however many there are", async (t) => {
  const count = 250;
  const { store, numbers, settle } = await aStore("many", Array(count).fill(1));
  const all = Array.from({ length: count }, (_, index) => index + 1);
  await settle(...all.filter((number) => number !== 230));
  t.is(await numbers().settledThrough(store), 229);
  await settle(230);
  t.is(await numbers().settledThrough(store), count);
});

test("a request may start when every smaller number is settled; without a number, all numbers must be", async (t) => {
  const { store, numbers, settle } = await aStore("before", [1, 1, 1]);
  const { isSettledBefore } = numbers();
  t.deepEqual(await Promise.all([1, 2, 3].map((number) => isSettledBefore(store, number))), [true, false, false]);
  await settle(1, 3);
  t.deepEqual(await Promise.all([1, 2, 3].map((number) => isSettledBefore(store, number))), [true, true, false]);
  t.false(await isSettledBefore(store));
  await settle(2);
  t.true(await isSettledBefore(store, 3));
  t.true(await isSettledBefore(store));
});
