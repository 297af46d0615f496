import test from "ava";
import { labelTypes } from "../../../records/kinds/tenants.ts";
import { labelTypeKey, tenantKey } from "../../../schemas/keys.ts";
import { TENANT_ID } from "../../../scripts/demo/catalogue.ts";
import { eventually } from "../../harness/eventually.ts";
import { glassOf, labelFor, transmissions } from "../../harness/glass.ts";
import { ownStack } from "../../harness/own.ts";
import { addModel, bodyOf, readLabel, writeItems } from "../calls.ts";

const shelfwire = ownStack({ withFront: true });
test.before(async () => {
  await writeItems(shelfwire, [
    { itemId: "apple", itemName: "Apple", price: "1.99", sics: ["4001"] },
    { itemId: "pear", itemName: "Pear", price: "2.99" },
  ]);
});

/**
 * The longest time that a call may wait for the glass. If a busy machine takes longer, the call is repeated, which changes
 * nothing.
 */
const LONGEST_WAIT = "?timeout=60000";
const link = async (body: object, query = LONGEST_WAIT) => {
  const send = async () => {
    const answer = await shelfwire.call("POST", `/labels/link-single${query}`, body);
    return bodyOf<{ barcode: string; itemId: string; status: string }>(answer);
  };
  if (query !== LONGEST_WAIT) return send();
  return eventually("the call waits until the label shows the link", async () => {
    const answer = await send();
    return answer.status !== "PENDING" && answer;
  });
};

/** Links without waiting; the label's picture is held back until the response has arrived, so that it is always PENDING. */
const linkUnseen = async (barcode: string, itemId: string) => {
  shelfwire.front?.answer(({ path }) => (path.includes(barcode) ? "held" : undefined));
  const answer = await link({ barcode, itemId }, "?timeout=0");
  shelfwire.front?.release();
  return answer;
};

test.serial("a link is LINKED when the label shows it", async (t) => {
  const barcode = labelFor("shown");
  t.deepEqual(await link({ barcode, itemId: "apple" }), { barcode, itemId: "apple", status: "LINKED" });
  t.is((await readLabel(shelfwire, barcode)).plState, "OK");
  t.is(transmissions(shelfwire, barcode), 1);
});

test.serial("repeating a link returns LINKED immediately and sends nothing", async (t) => {
  const barcode = labelFor("shown twice");
  await link({ barcode, itemId: "apple" });
  t.is((await link({ barcode, itemId: "apple" }, "?timeout=0")).status, "LINKED");
  t.is(transmissions(shelfwire, barcode), 1);
});

test.serial("another item at the position is LINKED when the label shows it", async (t) => {
  const barcode = labelFor("relinked");
  await link({ barcode, itemId: "apple" });
  const apple = await glassOf(shelfwire, barcode);
  t.is((await link({ barcode, itemId: "pear" })).status, "LINKED");
  t.notDeepEqual(await glassOf(shelfwire, barcode), apple);
});

test.serial("timeout=0 returns PENDING when the link is stored; the label shows it later", async (t) => {
  const barcode = labelFor("not waited for");
  t.deepEqual(await linkUnseen(barcode, "apple"), { barcode, itemId: "apple", status: "PENDING" });
  t.is((await readLabel(shelfwire, barcode)).links[0]?.itemId, "apple");
  await glassOf(shelfwire, barcode);
});

test.serial("linkedItemId may be a SIC: the response shows the item", async (t) => {
  const barcode = labelFor("by SIC");
  const answer = await link({ barcode, itemId: "pear", linkedItemId: "4001" });
  t.deepEqual(answer, { barcode, itemId: "apple", status: "LINKED" });
  t.is((await readLabel(shelfwire, barcode)).links[0]?.linkedItemId, "4001");
});

test.serial("every field of the body is stored", async (t) => {
  const barcode = labelFor("whole");
  const fields = { modelName: "Medium", linkDepartment: "warehouse", homeTrx: "T2", plLocation: "aisle 3" };
  await link({ barcode, itemId: "apple", displayPosition: 0, facings: "4", ...fields });
  const { modelName, linkDepartment, homeTrx, plLocation, links } = await readLabel(shelfwire, barcode);
  t.deepEqual({ modelName, linkDepartment, homeTrx, plLocation }, fields);
  t.is(links[0]?.facings, "4");
});

test.serial("a field that is null or empty keeps the label's value", async (t) => {
  const barcode = labelFor("kept");
  await link({ barcode, itemId: "apple", plLocation: "aisle 3", homeTrx: "T2", facings: "4" });
  await link({ barcode, itemId: "apple", plLocation: "", homeTrx: null, facings: "", displayPosition: null });
  const { plLocation, homeTrx, links } = await readLabel(shelfwire, barcode);
  t.deepEqual([plLocation, homeTrx, links[0]?.facings], ["aisle 3", "T2", "4"]);
});

test.serial("a link always waits for an item request that was sent just before it", async (t) => {
  for (let round = 0; round < 20; round += 1) {
    const itemId = `fresh ${round}`;
    await shelfwire.client.patchItems([{ itemId, price: "1.99" }]);
    const barcode = labelFor(itemId);
    t.deepEqual(await link({ barcode, itemId }), { barcode, itemId, status: "LINKED" });
  }
});

test.serial("a link whose item is not applied within the timeout returns PENDING and is still made", async (t) => {
  for (let round = 0; round < 5; round += 1) {
    const itemId = `fresher ${round}`;
    const barcode = labelFor(itemId);
    await shelfwire.client.patchItems([{ itemId, price: "1.99" }]);
    t.is((await linkUnseen(barcode, itemId)).status, "PENDING");
    await eventually("the link is made", async () => {
      const answer = await shelfwire.call("GET", `/labels/${barcode}`);
      return answer.ok && (await bodyOf<{ links: unknown[] }>(answer)).links.length === 1;
    });
  }
});

test.serial("a link without a fitting design is FAILED, and the label is in ERROR", async (t) => {
  const tenant = tenantKey(TENANT_ID);
  const type = { type: 1998, width: 50, height: 50, colors: [], display: "matrix" as const, flash: false, pages: 1 };
  await shelfwire.system.commit.change(labelTypes, [labelTypeKey(tenant, 1998)], () => type, "bulk");
  await addModel(shelfwire, { name: "Undesigned", labelTypes: [1998], linkPositions: 1 });
  const barcode = labelFor("undesigned", "1998");
  t.is((await link({ barcode, itemId: "apple" })).status, "FAILED");
  const isInError = async () => (await readLabel(shelfwire, barcode)).plState === "ERROR";
  t.true(await eventually("the label is in ERROR", isInError));
});

test.serial("after a price change a link is LINKED only when the new price is shown", async (t) => {
  const barcode = labelFor("dearer");
  await link({ barcode, itemId: "pear" });
  const before = await glassOf(shelfwire, barcode);
  await writeItems(shelfwire, [{ itemId: "pear", price: "3.49" }]);
  t.is((await link({ barcode, itemId: "pear" })).status, "LINKED");
  t.notDeepEqual(await glassOf(shelfwire, barcode), before);
});
