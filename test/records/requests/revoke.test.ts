import test from "ava";
import { MongoNotConnectedError } from "mongodb";
import type { JournaledChunk } from "../../../records/requests/chunks.ts";
import { type Chunk, isVoid, journalCollection } from "../../../records/requests/journal.ts";
import { createRevocation } from "../../../records/requests/revoke.ts";
import { chunkKey } from "../../../schemas/keys.ts";
import { wrapped } from "../../harness/databases/wrapped-db.ts";
import { eventually } from "../../harness/eventually.ts";
import { ownDatabase } from "../../harness/own.ts";

const database = ownDatabase();
const journal = () => journalCollection(database.db);
const chunkOf = (store: string, number: number): JournaledChunk => ({
  ...{ _id: chunkKey(`t/demo/s/${store}`, number, 0), store: `t/demo/s/${store}`, number, index: 0, chunks: 1 },
  ...{ rows: '[{"itemId":"milk"}]', size: 1, firstRow: 0, operation: "patch-items", ordered: true },
  ...{ urgency: "interactive", drawnAt: new Date(), validFor: 60_000, generation: 0, open: true },
});
const store = (chunk: JournaledChunk, more: object = {}) =>
  journal().insertOne({ ...chunk, journaledAt: new Date(), ...more } as Chunk);
const read = async ({ _id }: JournaledChunk) => (await journal().findOne({ _id })) ?? undefined;
const untilVoid = (chunk: JournaledChunk) =>
  eventually("it is void", async () => {
    const stored = await read(chunk);
    return stored !== undefined && isVoid(stored) && stored;
  });
const raise = (error: Error): never => {
  throw error;
};

test("a stored chunk becomes void, and a missing chunk is stored as void without its rows", async (t) => {
  const [stored, missing] = [chunkOf("both", 1), chunkOf("both", 2)];
  await store(stored);
  createRevocation(database.db, raise)([stored, missing]);
  t.like(await untilVoid(stored), { open: true, rows: stored.rows });
  t.like(await untilVoid(missing), { open: false, rows: "[]" });
});

test("a chunk found by a repeated call stays valid, and so do applied chunks and chunks that are not revoked", async (t) => {
  const [kept, applied, other, refused] = [1, 2, 3, 4].map((number) => chunkOf("stays", number)) as [
    ...[JournaledChunk, JournaledChunk, JournaledChunk, JournaledChunk],
  ];
  await store(kept, { kept: true });
  await store(applied, { open: false });
  await store(other);
  await store(refused);
  createRevocation(database.db, raise)([kept, applied, refused]);
  await untilVoid(refused);
  for (const chunk of [kept, applied, other]) t.is((await read(chunk))?.validFor, 60_000);
});

/** A database that refuses the journal's first updates; `asked` lists the number of chunks in each update. */
function refusing(times: number) {
  const asked: number[] = [];
  let left = times;
  const db = wrapped(database.db, async (_, method, [filter], call) => {
    if (method !== "updateMany") return call();
    asked.push((filter as { _id: { $in: string[] } })._id.$in.length);
    left -= 1;
    if (left >= 0) throw new Error("the database is unreachable");
    return call();
  });
  return { db, asked };
}

test("revoking is retried until the database succeeds, and each failure is reported", async (t) => {
  const { db, asked } = refusing(2);
  const faults: string[] = [];
  const chunk = chunkOf("retried", 1);
  createRevocation(db, (error) => faults.push(error.message))([chunk]);
  await untilVoid(chunk);
  await eventually("it is reported", async () => asked.length === 3);
  t.deepEqual(faults, ["the database is unreachable", "the database is unreachable"]);
});

test("later refusals join the next attempt, and later calls start again", async (t) => {
  const { db, asked } = refusing(1);
  const revoke = createRevocation(db, () => {});
  const [first, second, third] = [1, 2, 3].map((number) => chunkOf("joined", number)) as [
    ...[JournaledChunk, JournaledChunk, JournaledChunk],
  ];
  revoke([]);
  revoke([first]);
  revoke([second]);
  revoke([]);
  await untilVoid(second);
  // A missing chunk is void as soon as it is inserted, before the update.
  await eventually("both are revoked", async () => asked.length === 2);
  t.deepEqual(asked, [1, 2]);
  revoke([third]);
  await untilVoid(third);
  await eventually("one attempt is made", async () => asked.length === 3);
  t.is(asked.at(-1), 1, "void chunks are not revoked again");
});

test("a process that has closed its client does not try again", async (t) => {
  let asked = 0;
  const db = wrapped(database.db, async (_, method, __, call) => {
    if (method !== "updateMany") return call();
    asked += 1;
    throw new MongoNotConnectedError("the client is closed");
  });
  // It reports nothing either, since `raise` would fail the test.
  const revoke = createRevocation(db, raise);
  revoke([chunkOf("closed", 1)]);
  await eventually("it tried once", async () => asked === 1);
  revoke([chunkOf("closed", 2)]);
  await eventually("the next refusal makes one more attempt", async () => asked === 2);
  t.is(asked, 2);
});
