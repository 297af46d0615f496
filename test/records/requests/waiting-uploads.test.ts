import test from "ava";
import { openWaitingUploads } from "../../../records/requests/in-flight.ts";
import { type Chunk, journalCollection } from "../../../records/requests/journal.ts";
import { ownDatabase } from "../../harness/own.ts";
import { partOf } from "../../harness/part-of.ts";

const database = ownDatabase();

test("a tenant's waiting uploads are its open chunks that draw an image, with their pixels", async (t) => {
  const chunk = (store: string, index: number, more: Partial<Chunk>) =>
    partOf<Chunk>({ _id: `${store}/${index}`, store, ...more });
  await journalCollection(database.db).insertMany([
    chunk("t/one/s/a", 1, { open: true, pixels: 100 }),
    chunk("t/one/s/b", 1, { open: true, pixels: 20 }),
    chunk("t/one/s/b", 2, { open: false, pixels: 3 }),
    chunk("t/one/s/b", 3, { open: true }),
    chunk("t/one-more/s/a", 1, { open: true, pixels: 4_000 }),
  ]);
  const read = openWaitingUploads(database.db);
  t.deepEqual(await read("t/one"), { uploads: 2, pixels: 120 });
  t.deepEqual(await read("t/none"), { uploads: 0, pixels: 0 });
});
