import test from "ava";
import { numberedChunks, splitRequest } from "../../../../records/requests/chunks.ts";
import { openJournal } from "../../../../records/requests/journal.ts";
import { drawNumbers, openNumbers } from "../../../../records/requests/numbers.ts";
import { skipNumbers } from "../../../../records/requests/skip-numbers.ts";
import { storeChunks } from "../../../../records/requests/store-chunks.ts";
import { ownDatabase } from "../../../harness/own.ts";

const database = ownDatabase();

/** Journals a request under a store's next number. */
async function journal(store: string): Promise<string> {
  const { first, drawnAt } = await drawNumbers(database.db, store, 1);
  const request = { store, operation: "patch-items", rows: [{ itemId: "a" }], ordered: true };
  const chunks = numberedChunks(splitRequest(request), first, drawnAt, 60_000);
  await storeChunks(database.db, chunks);
  return chunks[0]?._id ?? "";
}

const settle = (key: string) => openJournal(database.db, () => new Date()).settle(new Map([[key, []]]));

test.serial(
  "skipped numbers are settled when all numbers before them are, and do not delay later requests",
  async (t) => {
    const store = "t/demo/s/skips";
    const numbers = openNumbers(database.db, () => 0);
    const before = await journal(store);
    t.deepEqual(await skipNumbers(database.db, 1_000_000), [{ store, after: 1, through: 1_000_001 }]);
    const after = await journal(store);
    t.is(after, `${store}/requests/1000002/0`);
    t.is(await numbers.settledThrough(store), 0, "the open request comes first");
    await settle(before);
    t.is(await numbers.settledThrough(store), 1_000_001);
    await skipNumbers(database.db, 1000);
    await skipNumbers(database.db, 1000);
    await settle(after);
    t.is(await numbers.settledThrough(store), 1_002_002);
    await settle(await journal(store));
    t.is(await numbers.settledThrough(store), 1_002_003);
  },
);

test.serial(
  "numbers continue above the journal's numbers if the counter was restored from an earlier backup",
  async (t) => {
    const store = "t/demo/s/torn";
    await journal(store);
    await journal(store);
    await database.db.collection<{ _id: string }>("counter").updateOne({ _id: store }, { $set: { number: 1 } });
    const skipped = await skipNumbers(database.db, 10);
    t.deepEqual(
      skipped.find((one) => one.store === store),
      { store, after: 2, through: 12 },
    );
  },
);

test.serial("numbers that callers could not read are refused before any store assigns them", async (t) => {
  const store = "t/demo/s/full";
  await journal(store);
  const error = await t.throwsAsync(skipNumbers(database.db, 2 ** 31), { instanceOf: RangeError });
  t.regex(error?.message ?? "", /t\/demo\/s\/.* is at number \d+/);
  t.is((await drawNumbers(database.db, store, 1)).first, 2);
});
