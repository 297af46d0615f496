import test from "ava";
import { eventually } from "../../harness/eventually.ts";
import { servedStack } from "../../harness/served-stack.ts";
import { readItem, refused } from "../calls.ts";

const shelfwire = servedStack({ workers: ["item"], settings: { RESULT_TTL: "1" } });

test("a result older than RESULT_TTL returns 404; its effects stay", async (t) => {
  const requestId = await shelfwire.client.patchItems([{ itemId: "apple" }]);
  const ask = () => shelfwire.call("GET", `/items-result/${requestId}`);
  await eventually("the result has expired", async () => (await ask()).status === 404);
  await refused(t, await ask(), 404);
  t.is((await eventually("the item still exists", () => readItem(shelfwire, "apple"))).itemId, "apple");
});
