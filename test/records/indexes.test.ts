import { isDeepStrictEqual } from "node:util";
import test, { type ExecutionContext } from "ava";
import type { Db } from "mongodb";
import { allKinds } from "../../records/all-kinds.ts";
import { describeDatabase, dropFormerIndexes, indexesOf, makeIndexes } from "../../records/indexes.ts";
import { openADatabase } from "../harness/databases/database.ts";
import { wrapped } from "../harness/databases/wrapped-db.ts";
import { ownDatabase } from "../harness/own.ts";

const database = ownDatabase();

const namesOf = async (collection: string) =>
  (await database.db.collection(collection).indexes()).map(({ name }) => name).sort();

test.serial("a release drops the indexes of earlier versions and no others", async (t) => {
  const kinds = await allKinds();
  await database.db.collection("delivery").createIndex({ due: 1, subscription: 1 });
  await database.db.collection("delivery").createIndex({ event: 1 });
  await makeIndexes(database.db, kinds);
  t.true((await namesOf("delivery")).includes("due_1_subscription_1"));
  await dropFormerIndexes(database.db);
  await dropFormerIndexes(database.db);
  t.deepEqual(await namesOf("delivery"), [
    "_id_",
    "due_1_since_1",
    "event_1",
    "subscription_1",
    "subscription_1_due_1_since_1__id_1",
  ]);
});

/** An empty database created by the test. */
async function emptyDatabase(t: ExecutionContext): Promise<Db> {
  const { db, close } = await openADatabase();
  t.teardown(close);
  return db;
}

test("a release reports the indexes that it creates, and nothing on a second run", async (t) => {
  const kinds = await allKinds();
  const db = await emptyDatabase(t);
  await makeIndexes(db, []);
  const made = await makeIndexes(db, kinds);
  t.is(made.length, indexesOf(kinds).length - indexesOf([]).length, "indexes that belong to no kind already existed");
  t.true(made.includes('the collection "labelstate" has the index sendDue_1'));
  t.deepEqual(await makeIndexes(db, kinds), []);
});

const former: [collection: string, keys: Record<string, 1>][] = [
  ["schedule", { due: 1 }],
  ["delivery", { due: 1, subscription: 1 }],
  ["delivery", { subscription: 1, since: 1 }],
];
for (const [collection, keys] of former)
  test(`a release reports that it drops an earlier version's index: ${collection} by ${Object.keys(keys)}`, async (t) => {
    const db = await emptyDatabase(t);
    t.deepEqual(await dropFormerIndexes(db), [], "there is no index yet");
    const name = await db.collection(collection).createIndex(keys);
    t.deepEqual(await dropFormerIndexes(db), [`the collection "${collection}" no longer has an index ${name}`]);
    t.deepEqual(await dropFormerIndexes(db), []);
  });

test("only an earlier version's index is dropped, by its name", async (t) => {
  const kinds = await allKinds();
  const db = await emptyDatabase(t);
  await makeIndexes(db, kinds);
  const former = ["at_1", "due_1", "usedAt_1", "due_1_since_1", "due_1_subscription_1", "subscription_1_since_1"];
  const dropped: string[] = [];
  const withFormer = wrapped(db, async (collection, method, [name], call) => {
    if (method === "indexes") return former.map((index) => ({ name: index }));
    if (method !== "dropIndex") return call();
    dropped.push(`${collection} ${name}`);
  });
  await dropFormerIndexes(withFormer);
  t.deepEqual(dropped.sort(), [
    ...["delivery due_1_subscription_1", "delivery subscription_1_since_1", "glass at_1", "image usedAt_1"],
    ...["inbox due_1_since_1", "report due_1_since_1", "schedule due_1", "upload usedAt_1"],
  ]);
});

test.serial("indexes are unique, sparse and partial as their kinds declare", async (t) => {
  const kinds = await allKinds();
  await makeIndexes(database.db, kinds);
  const optionsOf = async (collection: string, name: string) => {
    const found = (await database.db.collection(collection).indexes()).find((index) => index.name === name);
    return { unique: found?.unique ?? false, sparse: found?.sparse ?? false, partial: found?.partialFilterExpression };
  };
  const none = { unique: false, sparse: false, partial: undefined };
  t.deepEqual(await optionsOf("journal", "deduplicationKey_1"), { ...none, unique: true, sparse: true });
  t.deepEqual(await optionsOf("glass", "store_1_at_1"), none);
  const asked: object[] = [];
  const collections = wrapped(database.db, async (_, method, given, call) => {
    if (method === "createIndexes")
      asked.push(...(given[0] as { key: object }[]).map(({ key: _, ...options }) => options));
    return call();
  });
  await makeIndexes(collections, kinds);
  const all = indexesOf(kinds);
  t.is(asked.length, all.length);
  const partial = all.flatMap(({ partial }) => (partial ? [{ partialFilterExpression: partial }] : []));
  for (const options of partial)
    t.true(
      asked.some((one) => isDeepStrictEqual(one, options)),
      JSON.stringify(options),
    );
  t.is(asked.filter((one) => "partialFilterExpression" in one).length, partial.length);
});

test("the database reports its version", async (t) => {
  t.regex(await describeDatabase(database.db), /\d+\.\d+/);
});

test("no index repeats the leading fields of another", async (t) => {
  const names = indexesOf(await allKinds()).map(({ collection, keys }) => `${collection} ${JSON.stringify(keys)}`);
  t.deepEqual(names, [...new Set(names)]);
});
