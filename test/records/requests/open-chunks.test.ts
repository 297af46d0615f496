import test from "ava";
import { createAcceptance } from "../../../records/requests/accept.ts";
import { type ChunkHead, journalCollection, openJournal } from "../../../records/requests/journal.ts";
import { openNumbers } from "../../../records/requests/numbers.ts";
import { chunkKey } from "../../../schemas/keys.ts";
import { ownDatabase } from "../../harness/own.ts";

const COUNT = 150;

const database = ownDatabase();
test.before(async () => {
  const accept = createAcceptance(database.db, () => performance.now(), 20_000);
  const rows = (chunks: number) => Array.from({ length: 1_000 * (chunks - 1) + 1 }, () => ({}));
  for (const store of stores) {
    for (let number = 1; number <= COUNT; number += 1)
      await accept({ store, operation: "patch-items", rows: rows(number === 3 ? 3 : 1), ordered: true });
  }
});

const stores = ["t/demo/s/main", "t/demo/s/side"];
const [main = ""] = stores;
const openChunks = (limit = 1_000): Promise<ChunkHead[]> => openNumbers(database.db, () => 0).openChunks(limit);
const inStore = (chunks: readonly ChunkHead[], store: string): [number, number][] =>
  chunks.filter((chunk) => chunk.store === store).map(({ number, index }) => [number, index]);

const numbered = (first: number, last: number): [number, number][] =>
  Array.from({ length: last - first + 1 }, (_, index) => [first + index, 0]);

test.serial("the open chunks of a store come in the order of their numbers, chunk by chunk", async (t) => {
  const chunks = await openChunks();
  const all = [...numbered(1, 2), [3, 0], [3, 1], [3, 2], ...numbered(4, COUNT)];
  for (const store of stores) t.deepEqual(inStore(chunks, store), all as [number, number][]);
});

test.serial("open chunks are read without rows and outcomes", async (t) => {
  for (const chunk of await openChunks()) t.false("rows" in chunk || "outcomes" in chunk);
});

test.serial("at most `limit` chunks are given, the oldest ones", async (t) => {
  t.deepEqual(inStore(await openChunks(4), main), [
    [1, 0],
    [2, 0],
    [3, 0],
    [3, 1],
  ]);
});

test.serial("chunks that are applied, refused or not whole in the journal are not open", async (t) => {
  const journal = openJournal(database.db, () => new Date());
  const applied = [1, 2, 5, 140].map((number): [string, []] => [chunkKey(main, number, 0), []]);
  await journal.settle(new Map([...applied, [chunkKey(main, 3, 1), []]]));
  const collection = journalCollection(database.db);
  await collection.updateOne({ _id: chunkKey(main, 6, 0) }, { $set: { validFor: -1 } });
  await collection.deleteOne({ _id: chunkKey(main, 7, 0) });
  const chunks = inStore(await openChunks(), main);
  t.deepEqual(chunks, [[3, 0], [3, 2], [4, 0], ...numbered(8, 139), ...numbered(141, COUNT)]);
  await collection.deleteOne({ _id: chunkKey(main, 3, 2) });
  t.deepEqual(inStore(await openChunks(2), main), [
    [4, 0],
    [8, 0],
  ]);
});
