import test from "ava";
import { allKinds } from "../../records/all-kinds.ts";
import { dropFormerIndexes, indexesOf, makeIndexes } from "../../records/indexes.ts";
import { ownDatabase } from "../harness/own.ts";

const database = ownDatabase();

const namesOf = async (collection: string) =>
  (await database.db.collection(collection).indexes()).map(({ name }) => name).sort();

test.serial("a release drops the indexes that an earlier version made, and leaves all others", async (t) => {
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

test("no index has the fields of another one in their order", async (t) => {
  const names = indexesOf(await allKinds()).map(({ collection, keys }) => `${collection} ${JSON.stringify(keys)}`);
  t.deepEqual(names, [...new Set(names)]);
});
