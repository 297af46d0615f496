import test from "ava";
import { renameStored } from "../../../records/upgrade/rename-stored.ts";
import { openADatabase } from "../../harness/databases/database.ts";

let database: Awaited<ReturnType<typeof openADatabase>>;
test.before(async () => {
  database = await openADatabase();
});
test.after.always(() => database.close());

const all = (collection: string) => database.db.collection(collection).find().sort({ _id: 1 }).toArray();
const put = (collection: string, documents: object[]) => database.db.collection(collection).insertMany(documents);

test("collections and fields from an older version get their current names, and repeating this changes nothing", async (t) => {
  const at = new Date(1_000);
  await put("outbox", [{ _id: "event", topic: "link.v2", changes: "[]", since: at, due: at } as object]);
  await put("unpublished", [{ _id: "note", kind: "link.v2", changes: "[]", since: at } as object]);
  await put("claim", [{ _id: "call", run: "r", claimedAt: at } as object]);
  await put("journal", [{ _id: "chunk", claim: "r.0.0/0" } as object, { _id: "other", open: true } as object]);
  await put("walk", [{ _id: "t/demo/walks/evaluator", behind: 3 } as object]);
  for (let run = 0; run < 2; run += 1) {
    await renameStored(database.db);
    t.deepEqual(await all("inbox"), [{ _id: "event", topic: "link.v2", changes: "[]", since: at, due: at }]);
    t.deepEqual(await all("outbox"), [{ _id: "note", kind: "link.v2", changes: "[]", since: at }]);
    t.deepEqual(await all("unpublished"), []);
    t.deepEqual(await all("claim"), []);
    t.deepEqual(await all("idempotencykey"), [{ _id: "call", run: "r", takenAt: at }]);
    t.deepEqual(await all("journal"), [
      { _id: "chunk", deduplicationKey: "r.0.0/0" },
      { _id: "other", open: true },
    ]);
    t.deepEqual(await all("walk"), [{ _id: "t/demo/walks/evaluator", stale: 3 }]);
  }
});

test("a release reports which fields are renamed, and in how many documents", async (t) => {
  const { db, close } = await openADatabase();
  t.teardown(close);
  const notes = ["one", "two"].map((_id) => ({ _id, kind: "link.v2", changes: "[]", since: new Date(1_000) }));
  await db.collection<{ _id: string }>("unpublished").insertMany(notes);
  await db.collection<{ _id: string; claim: string }>("journal").insertOne({ _id: "chunk", claim: "r.0.0/0" });
  t.deepEqual(await renameStored(db), [
    '2 documents of "unpublished" are now in "outbox"',
    'the field "claim" of 1 documents of "journal" is now "deduplicationKey"',
  ]);
});

test("more documents than one batch are all renamed, and documents of other formats are kept", async (t) => {
  const { db, close } = await openADatabase();
  t.teardown(close);
  const at = new Date(1_000);
  const events = Array.from({ length: 1_500 }, (_, index) => ({ _id: `event-${index}`, topic: "link.v2", since: at }));
  const note = { _id: "note", kind: "link.v2", since: at };
  await db.collection<{ _id: string }>("outbox").insertMany([...events, note]);
  await renameStored(db);
  t.is(await db.collection("inbox").countDocuments(), 1_500);
  t.deepEqual(await db.collection("outbox").find().toArray(), [note]);
});

test("an empty database stays empty", async (t) => {
  const empty = await openADatabase();
  t.teardown(() => empty.close());
  t.deepEqual(await renameStored(empty.db), []);
  for (const name of ["inbox", "outbox", "idempotencykey"])
    t.is(await empty.db.collection(name).countDocuments(), 0, name);
});
