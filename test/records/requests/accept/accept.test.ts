import test from "ava";
import { createAcceptance } from "../../../../records/requests/accept.ts";
import type { AcceptedRequest, JournaledChunk } from "../../../../records/requests/chunks.ts";
import { journalCollection, openJournal } from "../../../../records/requests/journal.ts";
import { ownDatabase } from "../../../harness/own.ts";

/** Longer than any machine takes to answer. */
const WITHIN_MS = 600_000;

const database = ownDatabase();
let accept: ReturnType<typeof createAcceptance>;
test.before(async () => {
  accept = createAcceptance(database.db, () => performance.now(), WITHIN_MS);
});

const request = (store: string, rows: readonly unknown[] = [{ itemId: "milk" }]): AcceptedRequest => ({
  store: `t/demo/s/${store}`,
  operation: "patch-items",
  rows,
  ordered: false,
});
const rowsOf = (count: number): { itemId: string }[] =>
  Array.from({ length: count }, (_, index) => ({ itemId: `item-${index}` }));
const numberOf = (chunks: readonly JournaledChunk[]): number => chunks[0]?.number ?? 0;
const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

test("a store's numbers are consecutive, in the order of its requests", async (t) => {
  const stores = ["north", "south", "west"];
  const requests = Array.from({ length: 200 }, (_, index) => stores[(index * 7) % 5] ?? "west");
  const accepted = await Promise.all(requests.map(async (store) => numberOf(await accept(request(store)))));
  for (const store of stores) {
    const numbers = accepted.filter((_, index) => requests[index] === store);
    t.deepEqual(numbers, upTo(numbers.length), store);
  }
});

test("each number is drawn once, even by several concurrent processes", async (t) => {
  const processes = [0, 1, 2].map(() => createAcceptance(database.db, () => performance.now(), WITHIN_MS));
  const drawn = processes.flatMap((accept) => Array.from({ length: 20 }, () => accept(request("shared"))));
  const numbers = (await Promise.all(drawn)).map(numberOf);
  t.deepEqual(
    numbers.toSorted((a, b) => a - b),
    upTo(60),
  );
});

test("a row that represents many rows counts as many in chunks, size and urgency", async (t) => {
  const weighed = async (store: string, weights: number[]) =>
    accept({ ...request(store, rowsOf(weights.length)), weights });
  const shown = (chunks: readonly JournaledChunk[]) =>
    chunks.map(({ size, firstRow, urgency }) => [size, firstRow, urgency]);
  t.deepEqual(shown(await weighed("heavy", [1000, 600, 400, 1])), [
    [1000, 0, "bulk"],
    [1000, 1, "bulk"],
    [1, 3, "bulk"],
  ]);
  t.deepEqual(shown(await weighed("light", [60, 40])), [[100, 0, "interactive"]]);
  t.deepEqual(shown(await weighed("just too heavy", [60, 41])), [[101, 0, "bulk"]]);
});

test("a chunk is open in the journal when its request is accepted", async (t) => {
  const [accepted] = await accept(request("journaled", [{ itemId: "milk", price: "1.10" }]));
  const key = accepted?._id ?? "";
  t.is(key, "t/demo/s/journaled/requests/1/0");
  const chunk = (await openJournal(database.db, () => new Date()).read([key])).get(key);
  t.like(chunk, { ...accepted, open: true, generation: 0, number: 1, index: 0, chunks: 1, size: 1, firstRow: 0 });
  t.deepEqual(JSON.parse(chunk?.rows ?? ""), [{ itemId: "milk", price: "1.10" }]);
  t.true((chunk?.journaledAt.getTime() ?? 0) >= (chunk?.drawnAt.getTime() ?? Number.NaN));
});

for (const [count, sizes] of [
  [1, [1]],
  [1_000, [1_000]],
  [1_001, [1_000, 1]],
  [3_500, [1_000, 1_000, 1_000, 500]],
] as const) {
  test(`a request is split into indexed chunks of at most 1,000 rows: ${count} rows`, async (t) => {
    const rows = rowsOf(count);
    const chunks = await accept(request(`rows-${count}`, rows));
    t.deepEqual(
      chunks.map(({ size }) => size),
      [...sizes],
    );
    t.deepEqual(
      chunks.map(({ firstRow, index }) => [firstRow, index]),
      chunks.map((_, index) => [index * 1_000, index]),
    );
    t.deepEqual(
      chunks.flatMap((chunk) => JSON.parse(chunk.rows)),
      rows,
    );
    t.true(chunks.every((chunk) => chunk.chunks === sizes.length && chunk.number === 1));
    const stored = await openJournal(database.db, () => new Date()).readRequest(`t/demo/s/rows-${count}`, 1);
    t.deepEqual(
      stored.map(({ _id }) => _id),
      chunks.map(({ _id }) => _id),
    );
  });
}

test("chunks of one request are ordered", async (t) => {
  const [alone] = await accept(request("order", rowsOf(1_000)));
  t.false(alone?.ordered);
  for (const { ordered } of await accept(request("order", rowsOf(1_001)))) t.true(ordered);
});

test("a chunk is at most 4 MiB, measured in bytes and not in characters", async (t) => {
  const limit = 4 * 2 ** 20;
  const rows = Array.from({ length: 11 }, (_, index) => ({ itemId: `item-${index}`, itemName: "š".repeat(450_000) }));
  const chunks = await accept(request("large", rows));
  t.deepEqual(
    chunks.map(({ size, firstRow }) => [size, firstRow]),
    [
      [4, 0],
      [4, 4],
      [3, 8],
    ],
  );
  for (const chunk of chunks) t.true(Buffer.byteLength(chunk.rows) <= limit + chunk.size + 1);
  t.deepEqual(
    chunks.flatMap((chunk) => JSON.parse(chunk.rows)),
    rows,
  );
});

test("a row larger than the limit of a chunk has its own chunk", async (t) => {
  const rows = [{ itemId: "a" }, { itemId: "b", itemName: "x".repeat(5 * 2 ** 20) }, { itemId: "c" }];
  const chunks = await accept(request("huge", rows));
  t.deepEqual(
    chunks.map(({ size, firstRow }) => [size, firstRow]),
    [
      [1, 0],
      [1, 1],
      [1, 2],
    ],
  );
});

test("requests with at most 100 rows are interactive and larger requests are bulk, in each of their chunks", async (t) => {
  for (const [count, urgency] of [
    [1, "interactive"],
    [100, "interactive"],
    [101, "bulk"],
    [1_001, "bulk"],
  ] as const) {
    const chunks = await accept(request("urgency", rowsOf(count)));
    t.true(
      chunks.every((chunk) => chunk.urgency === urgency),
      `${count} rows`,
    );
  }
});

test("a row's keys are stored unchanged, even keys that MongoDB does not allow", async (t) => {
  const row = JSON.parse('{"itemId":"1","properties":{"$set":"a","unit.price":"b","__proto__":"c"}}');
  const [chunk] = await accept(request("keys", [row]));
  const stored = await journalCollection(database.db).findOne({ _id: chunk?._id ?? "" });
  t.is(stored?.rows, JSON.stringify([row]));
});
