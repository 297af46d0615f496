import test from "ava";
import { nextOwner, nextOwners } from "../../records/owners.ts";
import { ownDatabase } from "../harness/own.ts";

const world = ownDatabase();
const query = { owner: "store", field: "due", asked: { $lte: 5 } };

test("the owners of matching records are found in order, each once, after the last one found", async (t) => {
  const found = world.db.collection<{ _id: string; store: string; due: number }>("testcounter");
  const rows: [string, number][] = [
    ["b", 1],
    ["b", 2],
    ["a", 5],
    ["c", 6],
    ["d", 3],
  ];
  await found.insertMany(rows.map(([store, due], index) => ({ _id: String(index), store, due })));
  t.is(await nextOwner(found, query, ""), "a");
  t.is(await nextOwner(found, query, "b"), "d", "no record of c matches");
  t.is(await nextOwner(found, query, "d"), undefined);
  t.deepEqual(await nextOwners(found, query, "", 10), ["a", "b", "d"]);
  t.deepEqual(await nextOwners(found, query, "", 2), ["a", "b"]);
  t.deepEqual(await nextOwners(found, query, "a", 1), ["b"]);
});

test("only the owners in a range of IDs are found, starting with the given owner", async (t) => {
  const found = world.db.collection<{ _id: string; store: string; due: number }>("schedule");
  const stores = ["t/a/s/1", "t/b/s/1", "t/b/s/2", "t/c/s/1"];
  await found.insertMany(stores.map((store) => ({ _id: `${store}/items/x`, store, due: 1 })));
  const among = { $gte: "t/b/", $lt: "t/c/" };
  t.deepEqual(await nextOwners(found, { ...query, among }, "", 10), ["t/b/s/1", "t/b/s/2"]);
  t.deepEqual(await nextOwners(found, { ...query, among }, "t/b/s/1", 10), ["t/b/s/2"]);
});
