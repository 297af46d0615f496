import test from "ava";
import { createAcceptance } from "../../../records/requests/accept.ts";
import { journalCollection, openJournal } from "../../../records/requests/journal.ts";
import { type OpenChunk, openOpenChunks } from "../../../records/requests/open-chunks.ts";
import { chunkKey } from "../../../schemas/keys.ts";
import type { Urgency } from "../../../schemas/urgency.ts";
import { ownDatabase } from "../../harness/own.ts";

const COUNT = 30;

const database = ownDatabase();
test.before(async () => {
  const accept = createAcceptance(database.db, () => performance.now(), 600_000);
  const rows = (chunks: number) => Array.from({ length: 1_000 * (chunks - 1) + 1 }, () => ({}));
  for (let number = 1; number <= COUNT; number += 1)
    for (const store of stores)
      await accept({ store, operation: "patch-items", rows: rows(number === 3 ? 3 : 1), ordered: true });
});

const stores = ["t/demo/s/main", "t/demo/s/side"];
const [main = ""] = stores;

/** All pages of an urgency. */
async function readAll(urgency: Urgency, limit: number): Promise<OpenChunk[][]> {
  const pages: OpenChunk[][] = [];
  const openChunks = openOpenChunks(database.db);
  let page = await openChunks.readPage(urgency, undefined, limit);
  for (; page.next !== undefined; page = await openChunks.readPage(urgency, page.next, limit)) pages.push(page.chunks);
  return [...pages, page.chunks];
}
const inStore = (chunks: readonly OpenChunk[], store: string): [number, number][] =>
  chunks
    .filter((chunk) => chunk.store === store)
    .map(({ number, index }): [number, number] => [number, index])
    .sort(([a, i], [b, j]) => a - b || i - j);
const numbered = (first: number, last: number): [number, number][] =>
  Array.from({ length: last - first + 1 }, (_, index) => [first + index, 0]);

for (const limit of [1, 7, 1_000]) {
  test.serial(`each open chunk is on exactly one page for its urgency: ${limit} per page`, async (t) => {
    const pages = await readAll("interactive", limit);
    t.true(pages.every((page) => page.length <= limit));
    const bulk = (await readAll("bulk", limit)).flat();
    for (const store of stores) {
      t.deepEqual(inStore(pages.flat(), store), [...numbered(1, 2), ...numbered(4, COUNT)]);
      t.deepEqual(inStore(bulk, store), [
        [3, 0],
        [3, 1],
        [3, 2],
      ]);
    }
  });
}

test.serial("the chunks of all stores are sorted by age, so that one store does not fill a page", async (t) => {
  const drawn = (await readAll("interactive", 10)).flat().map(({ drawnAt }) => drawnAt.getTime());
  t.deepEqual(
    drawn,
    drawn.toSorted((a, b) => a - b),
  );
});

test.serial("open chunks are read without rows and outcomes", async (t) => {
  for await (const page of openOpenChunks(database.db).scan())
    for (const chunk of page) t.false("rows" in chunk || "outcomes" in chunk);
});

test.serial("a chunk is as young as the youngest chunk of its request", async (t) => {
  const journaledAt = new Date("2100-01-01");
  await journalCollection(database.db).updateOne({ _id: chunkKey(stores[1] ?? "", 3, 2) }, { $set: { journaledAt } });
  await journalCollection(database.db).updateMany(
    { _id: { $in: [0, 1, 2].map((index) => chunkKey(stores[1] ?? "", 3, index)) } },
    { $set: { validFor: 1e13 } },
  );
  const bulk = (await readAll("bulk", 2)).flat().filter(({ store }) => store !== main);
  t.deepEqual(
    bulk.map(({ wholeAt }) => wholeAt),
    [journaledAt, journaledAt, journaledAt],
  );
});

test.serial("applied, refused and incomplete chunks are not open", async (t) => {
  const journal = openJournal(database.db, () => new Date());
  const applied = [1, 2, 5, 20].map((number): [string, []] => [chunkKey(main, number, 0), []]);
  await journal.settle(new Map([...applied, [chunkKey(main, 3, 1), []]]));
  const collection = journalCollection(database.db);
  await collection.updateOne({ _id: chunkKey(main, 6, 0) }, { $set: { validFor: -1 } });
  await collection.deleteOne({ _id: chunkKey(main, 7, 0) });
  const interactive = (await readAll("interactive", 10)).flat();
  t.deepEqual(inStore(interactive, main), [[4, 0], ...numbered(8, 19), ...numbered(21, COUNT)]);
  t.deepEqual(inStore((await readAll("bulk", 10)).flat(), main), [
    [3, 0],
    [3, 2],
  ]);
  await collection.deleteOne({ _id: chunkKey(main, 3, 2) });
  t.deepEqual(inStore((await readAll("bulk", 10)).flat(), main), []);
});
