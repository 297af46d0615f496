import test from "ava";
import { makeIndexes } from "../../../records/indexes.ts";
import type { JournaledChunk } from "../../../records/requests/chunks.ts";
import { isVoid, journalCollection } from "../../../records/requests/journal.ts";
import { insertChunks, insertVoids, storeChunks } from "../../../records/requests/store-chunks.ts";
import { wrapped } from "../../harness/databases/wrapped-db.ts";
import { ownDatabase } from "../../harness/own.ts";
import { storedChunk } from "./stored-chunk.ts";

const world = ownDatabase();
test.before(async () => {
  await makeIndexes(world.db, []);
});
test.beforeEach(async () => {
  await journalCollection(world.db).deleteMany({});
});

const STORE = "t/demo/s/main";
const VALID = 3_600_000;

function chunk(number: number, given: Partial<JournaledChunk> = {}): JournaledChunk {
  const { journaledAt: _, ...rest } = storedChunk({ store: STORE, number, drawnAt: new Date(), validFor: VALID });
  return { ...rest, ...given };
}
const stored = () => journalCollection(world.db).find({}).sort({ _id: 1 }).toArray();
const refused = (...of: JournaledChunk[]): Set<string> => new Set(of.map(({ _id }) => _id));
const NONE = new Set<string>();

for (const count of [1, 3])
  test.serial(`${count} chunks are stored with the database's time and are valid`, async (t) => {
    const chunks = Array.from({ length: count }, (_, index) => chunk(index + 1));
    let written = 0;
    t.deepEqual(await storeChunks(world.db, chunks, () => (written += 1)), { duplicates: NONE, voids: NONE });
    t.is(written, 1);
    const found = await stored();
    t.deepEqual(
      found.map(({ journaledAt: _, ...rest }) => rest),
      chunks,
    );
    for (const { journaledAt } of found) t.true(Math.abs(journaledAt.getTime() - Date.now()) < 60_000);
  });

for (const count of [1, 3])
  test.serial(`a late chunk is void, and an existing one is a duplicate: ${count} chunks`, async (t) => {
    const late = Array.from({ length: count }, (_, index) => chunk(index + 1, { validFor: -1 }));
    t.deepEqual(await storeChunks(world.db, late), { duplicates: NONE, voids: refused(...late) });
    t.deepEqual(await storeChunks(world.db, late), { duplicates: refused(...late), voids: NONE });
    const again = [...late, chunk(9)];
    t.deepEqual(await storeChunks(world.db, again), { duplicates: refused(...late), voids: NONE });
    t.is((await stored()).length, count + 1, "the chunk after the duplicates is stored");
  });

test.serial("chunks stored together may each be void, a duplicate or valid", async (t) => {
  const [known, late, valid] = [chunk(1), chunk(2, { validFor: -1 }), chunk(3)];
  await storeChunks(world.db, [known]);
  t.deepEqual(await storeChunks(world.db, [known, late, valid]), { duplicates: refused(known), voids: refused(late) });
});

test.serial("a chunk does not wait for an earlier chunk that is refused", async (t) => {
  const options: unknown[] = [];
  const db = wrapped(world.db, async (_, method, given, call) => {
    if (method === "bulkWrite") options.push(given[1]);
    return call();
  });
  await insertChunks(db, [chunk(1), chunk(2)]);
  // MongoDB's stand-in continues after an error in either case.
  t.deepEqual(options, [{ ordered: false }]);
});

test.serial("a repeated call is refused by its deduplication key, whatever its number", async (t) => {
  const [first, again] = [chunk(1, { deduplicationKey: "a" }), chunk(2, { deduplicationKey: "a" })];
  await storeChunks(world.db, [first]);
  t.deepEqual(await storeChunks(world.db, [again]), { duplicates: refused(again), voids: NONE });
  t.deepEqual(await insertChunks(world.db, [again, chunk(3)]), refused(again));
});

for (const count of [1, 2])
  test.serial(`any other refusal is an error: ${count} chunks`, async (t) => {
    const db = wrapped(world.db, async () => {
      throw new Error("no primary");
    });
    await t.throwsAsync(
      storeChunks(
        db,
        Array.from({ length: count }, (_, index) => chunk(index)),
      ),
      {
        message: "no primary",
      },
    );
  });

test.serial("a chunk that the database does not return counts as void", async (t) => {
  const db = wrapped(world.db, async (_, method, __, call) => {
    const found = await call();
    return method === "findOneAndUpdate" ? null : found;
  });
  const one = chunk(1);
  t.deepEqual(await storeChunks(db, [one]), { duplicates: NONE, voids: refused(one) });
});

test.serial(
  "a void chunk is closed from the beginning, never repeats a call, and changes no existing chunk",
  async (t) => {
    const [there, missing] = [chunk(1), chunk(2, { deduplicationKey: "b" })];
    await storeChunks(world.db, [there]);
    const voids = [there, missing].map(({ rows: _, validFor: __, open: ___, ...rest }) => rest);
    await insertVoids(world.db, voids);
    const [first, second] = await stored();
    t.true(first?.open);
    t.is(first?.validFor, VALID);
    t.like(second, { open: false, rows: "[]", appliedAt: missing.drawnAt });
    t.false("deduplicationKey" in (second ?? {}));
    t.true(second !== undefined && isVoid(second));
    t.deepEqual(
      await insertChunks(world.db, [missing]),
      refused(missing),
      "the missing chunk is refused when it arrives",
    );
  },
);
