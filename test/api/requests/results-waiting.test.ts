import test from "ava";
import { labelFor } from "../../harness/glass.ts";
import { servedStack } from "../../harness/served-stack.ts";
import { bodyOf, refused } from "../calls.ts";

const shelfwire = servedStack({ workers: [] });

test("a request that no worker has started is accepted and PENDING", async (t) => {
  const items = await shelfwire.client.patchItems([{ itemId: "apple" }]);
  const labels = await shelfwire.client.patchLabels([{ barcode: labelFor("apple"), links: [{ itemId: "apple" }] }]);
  t.is((await shelfwire.client.itemsResult(items)).status, "PENDING");
  t.is((await shelfwire.client.labelsResult(labels)).status, "PENDING");
});

test("an accepted request that is not applied has no effect yet", async (t) => {
  await shelfwire.client.patchItems([{ itemId: "pear" }]);
  await shelfwire.client.patchLabels([{ barcode: labelFor("pear") }]);
  await refused(t, await shelfwire.call("GET", "/items/pear"), 404);
  await refused(t, await shelfwire.call("GET", `/labels/${labelFor("pear")}`), 404);
});

test("link-single accepts an item that may still arrive: it is PENDING", async (t) => {
  await shelfwire.client.patchItems([{ itemId: "plum" }]);
  const body = { barcode: labelFor("plum"), itemId: "plum" };
  const answer = await shelfwire.call("POST", "/labels/link-single?timeout=0", body);
  t.deepEqual(await bodyOf(answer), { ...body, status: "PENDING" });
});

test("a request that is not applied shows its rows as PENDING, in order", async (t) => {
  const requestId = await shelfwire.client.patchItems([{ itemId: "apple" }, { itemId: "pear" }]);
  const { outcomes } = await shelfwire.client.itemsResult(requestId);
  t.deepEqual(
    outcomes.map(({ itemId, status }) => [itemId, status]),
    [
      ["apple", "PENDING"],
      ["pear", "PENDING"],
    ],
  );
  const barcode = labelFor("pears");
  const links = [{ itemId: "pear" }, { linkedItemId: "38500", displayPosition: 1 }];
  const labels = await shelfwire.client.patchLabels([{ barcode, links }, { barcode: labelFor("none") }]);
  t.deepEqual((await shelfwire.client.labelsResult(labels)).outcomes, [
    { barcode, itemId: "pear", displayPosition: 0, status: "PENDING", errors: [] },
    { barcode, itemId: "38500", displayPosition: 1, status: "PENDING", errors: [] },
    { barcode: labelFor("none"), status: "PENDING", errors: [] },
  ]);
});
