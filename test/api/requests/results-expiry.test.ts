import test from "ava";
import { eventually } from "../../harness/eventually.ts";
import { openShelfwire, type Shelfwire } from "../../harness/shelfwire.ts";
import { readItem, refused } from "../calls.ts";

let shelfwire: Shelfwire;
test.before(async () => {
  shelfwire = await openShelfwire({ workers: ["item"], settings: { RESULT_TTL: "1" } });
});
test.after.always(() => shelfwire.close());

test("a result older than RESULT_TTL is 404; what it did stays", async (t) => {
  const requestId = await shelfwire.client.patchItems([{ itemId: "apple" }]);
  const ask = () => shelfwire.call("GET", `/items-result/${requestId}`);
  await eventually("the result has expired", async () => (await ask()).status === 404);
  await refused(t, await ask(), 404);
  t.is((await eventually("the item is there", () => readItem(shelfwire, "apple"))).itemId, "apple");
});
