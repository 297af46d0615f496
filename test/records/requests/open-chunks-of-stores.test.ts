import test from "ava";
import { createAcceptance } from "../../../records/requests/accept.ts";
import { openNumbers } from "../../../records/requests/numbers.ts";
import { openADatabase } from "../../harness/database.ts";

test("the oldest open chunks of all stores come first: a store with many does not fill the limit", async (t) => {
  const database = await openADatabase();
  t.teardown(() => database.close());
  const accept = createAcceptance(database.db, () => performance.now(), 20_000);
  const request = (store: string) => ({
    store: `t/demo/s/${store}`,
    operation: "patch-items",
    rows: [{}],
    ordered: true,
  });
  await accept(request("busy"));
  await accept(request("calm"));
  for (let number = 0; number < 10; number += 1) await accept(request("busy"));
  const chunks = await openNumbers(database.db, () => 0).openChunks(5);
  t.true(chunks.some(({ store }) => store === "t/demo/s/calm"));
});
