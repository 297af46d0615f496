import test from "ava";
import type { Db, Document } from "mongodb";
import { createFirstTogether, onlyIfAny } from "../../../records/mongodb/find-first-together.ts";
import { ownDatabase } from "../../harness/own.ts";

const world = ownDatabase();
const NUMBERS = "testfirstnumbers";
const NAMES = "testfirstnames";

/** The database, which records the commands sent to it. If an error is given, each command fails with it. */
function watched(fails?: Error) {
  const sent: Document[] = [];
  const db = Object.create(world.db) as Db;
  db.command = (command, options) => {
    sent.push(command);
    return fails ? Promise.reject(fails) : world.db.command(command, options);
  };
  return { sent, firstTogether: createFirstTogether(db) };
}

test.before(async () => {
  await world.db.collection(NUMBERS).insertMany([3, 1, 2].map((value) => ({ value, note: `n${value}` })));
  await world.db.collection<{ _id: string }>(NAMES).insertOne({ _id: "a" });
});

test("requests made at the same time are sent as one command, and each gets its own result or none", async (t) => {
  const { sent, firstTogether } = watched();
  const projection = { _id: 0, value: 1 };
  const found = await Promise.all([
    firstTogether({ collection: "testfirstnobody", filter: {} }),
    firstTogether({ collection: NUMBERS, filter: { value: { $gt: 1 } }, sort: { value: 1 }, projection }),
    firstTogether({ collection: NUMBERS, filter: { value: { $gt: 3 } }, sort: { value: 1 } }),
    firstTogether({ collection: NUMBERS, filter: {}, sort: { value: -1 }, projection: { _id: 0 } }),
    firstTogether({ collection: NAMES, filter: { _id: "a" } }),
  ]);
  t.deepEqual(found, [undefined, { value: 2 }, undefined, { value: 3, note: "n3" }, { _id: "a" }]);
  t.is(sent.length, 1);
  t.deepEqual(await firstTogether({ collection: NAMES, filter: { _id: "a" } }), { _id: "a" });
  t.is(sent.length, 2, "a later request has its own command");
});

test("a failed command fails for all its callers, and the next command is sent again", async (t) => {
  const { sent, firstTogether } = watched(new Error("away"));
  const both = [NUMBERS, NAMES].map((collection) => firstTogether({ collection, filter: {} }));
  for (const one of both) await t.throwsAsync(one, { message: "away" });
  await t.throwsAsync(firstTogether({ collection: NAMES, filter: {} }), { message: "away" });
  t.is(sent.length, 2);
});

test("periodic work runs only while there is any", async (t) => {
  const { firstTogether } = watched();
  const done: string[] = [];
  const work = (value: number) =>
    onlyIfAny(
      firstTogether,
      () => ({ collection: NUMBERS, filter: { value } }),
      async () => void done.push(`${value}`),
    );
  await Promise.all([work(1)(), work(4)()]);
  t.deepEqual(done, ["1"]);
});
