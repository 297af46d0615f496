import test from "ava";
import { type Chunk, isVoid, journalCollection } from "../../../../records/requests/journal.ts";
import { counterCollection, drawNumbers, lastNumber } from "../../../../records/requests/numbers.ts";
import { wrapped } from "../../../harness/databases/wrapped-db.ts";
import { ownDatabase } from "../../../harness/own.ts";
import { afterDrawn, DRAWN, storedChunk } from "../stored-chunk.ts";
import { GAP_TIMEOUT_MS, observed, STORE } from "./observed-numbers.ts";

// Which numbers are read, in which ranges, and what a process remembers about them.

const world = ownDatabase();
test.beforeEach(async () => {
  await journalCollection(world.db).deleteMany({});
  await counterCollection(world.db).deleteMany({});
  // Other stores' counters sort before and after the test's counter.
  for (const _id of ["t/a/s/main", "t/z/s/main"])
    await counterCollection(world.db).insertOne({ _id, number: 77, drawnAt: DRAWN, settledThrough: 5 });
});

type Skipped = { after: number; through: number }[];

const count = (number: number, skipped?: Skipped) =>
  counterCollection(world.db).insertOne({ _id: STORE, number, drawnAt: DRAWN, ...(skipped && { skipped }) });
const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, index) => from + index);
const settled = (numbers: readonly number[]): Chunk[] =>
  numbers.map((number) => storedChunk({ store: STORE, number, open: false }));
const insert = (...chunks: Chunk[]) => journalCollection(world.db).insertMany(chunks);

test.serial("numbers are read in hundreds, and settled numbers are not read again", async (t) => {
  await count(230);
  await insert(...settled(range(1, 230)));
  const { look, writes } = observed(world.db);
  t.deepEqual(await look(), [230, "1-100 101-200 201-230"]);
  t.deepEqual(await look(), [230, ""]);
  t.deepEqual(writes, [[{ _id: STORE }, { $max: { settledThrough: 230 } }]]);
  const counters = await counterCollection(world.db).find({}).sort({ _id: 1 }).toArray();
  t.deepEqual(
    counters.map(({ settledThrough }) => settledThrough),
    [5, 230, 5],
  );
});

test.serial("reading stops at the first unsettled number, and nothing beyond an open one is read", async (t) => {
  await count(300);
  await insert(...settled(range(1, 149)), storedChunk({ store: STORE, number: 150 }), ...settled(range(151, 300)));
  const { look, writes } = observed(world.db);
  t.deepEqual(await look(), [149, "1-100 101-200"]);
  t.deepEqual(await look(), [149, "150-249"]);
  t.is(writes.length, 1, "known progress is not written again");
});

test.serial("a thousand numbers after a missing one are read together, so that all missing numbers age", async (t) => {
  await count(1_500);
  let time = 0;
  const { look } = observed(world.db, () => time);
  const pieces = range(0, 9).map((index) => `${index * 100 + 1}-${index * 100 + 100}`);
  t.deepEqual(await look(), [0, pieces.join(" ")]);
  t.deepEqual(await look(), [0, "1-100"]);
  time = GAP_TIMEOUT_MS;
  const [through, reads] = await look();
  t.is(through, 1_000, "all missing numbers that were seen are closed together");
  t.true(reads.endsWith("1001-1100 1101-1200 1201-1300 1301-1400 1401-1500"), reads);
  time += GAP_TIMEOUT_MS;
  t.is((await look())[0], 1_500);
});

test.serial("more numbers are read when they have been drawn", async (t) => {
  await count(50);
  const { look } = observed(world.db);
  t.deepEqual(await look(), [0, "1-50"]);
  await counterCollection(world.db).updateOne({ _id: STORE }, { $set: { number: 101 } });
  t.deepEqual(await look(), [0, "1-100 101-101"]);
  await counterCollection(world.db).updateOne({ _id: STORE }, { $set: { number: 130 } });
  t.deepEqual(await look(), [0, "1-100 102-130"]);
  await counterCollection(world.db).updateOne({ _id: STORE }, { $set: { number: 250 } });
  t.deepEqual(await look(), [0, "1-100 131-230 231-250"]);
});

test.serial("skipped numbers are never read: neither in passing, nor ahead, nor between ranges", async (t) => {
  const skipped = [
    { after: 3, through: 7 },
    { after: 7, through: 9 },
    { after: 150, through: 400 },
  ];
  await count(450, skipped);
  await insert(...settled([1, 2, 3, 10, 11, 12]));
  t.deepEqual(await observed(world.db).look(), [12, "1-3 10-109 110-150 401-450"]);
  await insert(...settled(range(13, 150)));
  t.deepEqual(await observed(world.db).look(), [400, "13-112 113-150 401-450"]);
});

test.serial("numbers skipped at the end are settled as soon as those before them are", async (t) => {
  await count(20, [{ after: 10, through: 20 }]);
  await insert(...settled(range(1, 9)));
  t.is((await observed(world.db).look())[0], 9);
  await insert(...settled([10]));
  t.is((await observed(world.db).look())[0], 20);
});

test.serial("a request with one chunk is read once, and a request with several is read with all of them", async (t) => {
  await count(2);
  await insert(...settled([1]));
  t.deepEqual(await observed(world.db).look(), [1, "1-2"]);
  await insert(...[0, 1].map((index) => storedChunk({ store: STORE, number: 2, index, chunks: 2, open: false })));
  t.deepEqual(await observed(world.db).look(), [2, "2-2 2-2"]);
});

test.serial("the void chunk that closes a request takes the place of the request's first missing chunk", async (t) => {
  await count(2);
  await insert(...[0, 2].map((index) => storedChunk({ store: STORE, number: 1, index, chunks: 4 })));
  let time = 0;
  const { look } = observed(world.db, () => time);
  await look();
  time = GAP_TIMEOUT_MS;
  t.is((await look())[0], 2);
  const voids = (await journalCollection(world.db).find({}).sort({ _id: 1 }).toArray()).filter(isVoid);
  t.deepEqual(
    voids.map(({ number, index, chunks, drawnAt, open, operation }) => [
      number,
      index,
      chunks,
      drawnAt,
      open,
      operation,
    ]),
    [
      [1, 1, 4, DRAWN, false, "none"],
      [2, 0, 1, DRAWN, false, "none"],
    ],
  );
});

test.serial("a number that arrives in time is not closed, and its time restarts if it is lost again", async (t) => {
  await count(1);
  let time = 0;
  const { look } = observed(world.db, () => time);
  await look();
  const [chunk] = [storedChunk({ store: STORE, number: 1, journaledAt: afterDrawn(1) })];
  if (chunk === undefined) return t.fail();
  await insert(chunk);
  t.is((await look())[0], 0);
  await journalCollection(world.db).deleteMany({});
  time = GAP_TIMEOUT_MS;
  t.is((await look())[0], 0, "the number has been missing only since now");
  time = 2 * GAP_TIMEOUT_MS;
  t.is((await look())[0], 1);
});

test.serial("the stored progress itself shows whether all numbers before a given one are settled", async (t) => {
  await count(3);
  await insert(...settled([1, 2]));
  const { isSettledBefore } = observed(world.db);
  t.true(await isSettledBefore(3));
  t.false(await isSettledBefore(4));
  t.false(await isSettledBefore());
  await insert(...settled([3]));
  t.true(await isSettledBefore());
});

test.serial("numbers are drawn in ranges, and the store records the last number", async (t) => {
  t.is(await lastNumber(world.db, STORE), 0);
  t.is((await drawNumbers(world.db, STORE, 3)).first, 1);
  const { first, drawnAt } = await drawNumbers(world.db, STORE, 2);
  t.is(first, 4);
  t.true(Math.abs(drawnAt.getTime() - Date.now()) < 60_000);
  t.is(await lastNumber(world.db, STORE), 5);
  const db = wrapped(world.db, async () => null);
  await t.throwsAsync(drawNumbers(db, STORE, 1), {
    message: `the counter of ${STORE} could be neither found nor created`,
  });
});

test.serial(
  "a process that settled the numbers directly after the settled ones reads nothing if no other request is open",
  async (t) => {
    await count(8);
    await insert(...settled(range(1, 8)));
    const { after, look } = observed(world.db);
    t.deepEqual(await look(), [8, "1-8"]);
    await counterCollection(world.db).updateOne({ _id: STORE }, { $set: { number: 10 } });
    const further = settled([9, 10]);
    await insert(...further);
    t.deepEqual(await after(further), [10, ""]);
    t.deepEqual(await look(), [10, ""]);
  },
);

test.serial("numbers are read if a process settled one of several chunks, or if another request is open", async (t) => {
  const parts = [0, 1].map((index) => storedChunk({ store: STORE, number: 7, index, chunks: 2, open: index === 1 }));
  const cases: [string, Chunk[], number, [number, string]][] = [
    ["an open request after it", [...settled([6]), storedChunk({ store: STORE, number: 7 })], 7, [6, "7-7"]],
    ["an open request before it", [storedChunk({ store: STORE, number: 6 }), ...settled([7])], 7, [5, "6-7"]],
    ["another process settled more", settled([6, 7]), 7, [7, "7-7"]],
    ["one of several chunks", [...settled([6]), ...parts], 7, [6, "6-7 7-7"]],
  ];
  for (const [title, chunks, last, expected] of cases) {
    await journalCollection(world.db).deleteMany({});
    await counterCollection(world.db).deleteOne({ _id: STORE });
    await counterCollection(world.db).insertOne({ _id: STORE, number: last, drawnAt: DRAWN, settledThrough: 5 });
    await insert(...chunks);
    const { after } = observed(world.db);
    const own = title === "one of several chunks" ? parts.slice(0, 1) : chunks.filter(({ open }) => !open).slice(0, 1);
    t.deepEqual(await after(own), expected, title);
  }
});
