import test from "ava";
import { type Chunk, type Journal, journalCollection, openJournal } from "../../../../records/requests/journal.ts";
import { ownDatabase } from "../../../harness/own.ts";
import { storedChunk } from "../stored-chunk.ts";

const world = ownDatabase();
const NOW = new Date("2026-03-01T09:00:00Z");
let journal: Journal;
test.before(() => {
  journal = openJournal(world.db, () => NOW);
});
test.beforeEach(async () => {
  await journalCollection(world.db).deleteMany({});
});

const STORE = "t/demo/s/main";
const insert = (...chunks: Chunk[]) => journalCollection(world.db).insertMany(chunks);
test.serial("a request's existing parts are read in order without their rows", async (t) => {
  const COUNT = 12;
  const part = (index: number) =>
    storedChunk({ store: STORE, number: 1, index, chunks: COUNT, outcomes: `["${index}"]` });
  await insert(...Array.from({ length: COUNT + 2 }, (_, index) => part(COUNT + 1 - index)));
  const read = await journal.readOutcomes(STORE, 1);
  t.deepEqual(
    read.map(({ index, outcomes }) => [index, outcomes]),
    Array.from({ length: COUNT }, (_, index) => [index, [`${index}`]]),
  );
  for (const chunk of read) t.false("rows" in chunk);
  for (const chunk of await journal.readRequest(STORE, 1)) t.false("rows" in chunk || "outcomes" in chunk);
});

test.serial("only the named chunks are read by their keys, with their rows", async (t) => {
  const [first, second] = [1, 2].map((number) => storedChunk({ store: STORE, number, rows: `[${number}]` }));
  if (first === undefined || second === undefined) return t.fail();
  await insert(first, second);
  t.deepEqual(await journal.read([second._id, "none"]), new Map([[second._id, second]]));
});

test.serial("outcomes close their chunks at the current time, and an empty list settles nothing", async (t) => {
  const chunks = [1, 2].map((number) => storedChunk({ store: STORE, number }));
  await insert(...chunks);
  t.true(await journal.settle(new Map()));
  const outcomes = (itemId: string) => [{ itemId, status: "SUCCESS" as const, errors: [] }];
  t.true(await journal.settle(new Map(chunks.map(({ _id }) => [_id, outcomes(_id)]))));
  for (const { _id } of chunks) {
    const { open, appliedAt, outcomes: kept } = (await journal.read([_id])).get(_id) ?? {};
    t.deepEqual([open, appliedAt, kept], [false, NOW, JSON.stringify(outcomes(_id))]);
  }
  t.false(await journal.settle(new Map([["none", []]])));
});

test.serial("the next generation of open chunks begins once, however many processes begin it", async (t) => {
  const open = storedChunk({ store: STORE, number: 1, generation: 4 });
  const other = storedChunk({ store: STORE, number: 2 });
  const closed = storedChunk({ store: STORE, number: 3, open: false });
  await insert(open, other, closed);
  await journal.beginNextGeneration([]);
  await Promise.all([1, 2].map(() => journal.beginNextGeneration([open, other, closed])));
  await journal.beginNextGeneration([{ ...open, generation: 2 }]);
  const read = await journal.read([open._id, other._id, closed._id]);
  t.deepEqual(
    [open, other, closed].map(({ _id }) => read.get(_id)?.generation),
    [5, 1, 0],
  );
});
