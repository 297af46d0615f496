import test from "ava";
import { createAcceptance } from "../../../../records/requests/accept.ts";
import { journalCollection } from "../../../../records/requests/journal.ts";
import { counterCollection } from "../../../../records/requests/numbers.ts";
import { openADatabase } from "../../../harness/databases/database.ts";

const request = (store: string) => ({
  store: `t/demo/s/${store}`,
  operation: "patch-items",
  rows: [{ itemId: "apple" }],
  ordered: true,
});

test("a request that waits for others until its deadline is refused and uses up no number", async (t) => {
  const database = await openADatabase();
  t.teardown(() => database.close());
  let time = 0;
  const accept = createAcceptance(database.db, () => time, 60_000);
  const first = accept(request("first"));
  const second = accept(request("second"));
  time = 60_001;
  await t.throwsAsync(first, { name: "UnavailableError" });
  await t.throwsAsync(second, { name: "UnavailableError" });
  t.is(await counterCollection(database.db).findOne({ _id: "t/demo/s/second" }), null);
  t.is(await journalCollection(database.db).countDocuments({ store: "t/demo/s/second" }), 0);
  t.is((await accept(request("second")))[0]?.number, 1);
});
