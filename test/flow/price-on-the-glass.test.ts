import test from "ava";
import type { LabelTypeOrder } from "../../schemas/label-type.ts";
import { labelTypes as demoTypes, TENANT_ID } from "../../scripts/demo/catalogue.ts";
import { bodyOf } from "../api/calls.ts";
import { operate } from "../api/management/calls.ts";
import { auditStore, nothingBehind } from "../harness/audits/audit.ts";
import { eventually } from "../harness/eventually.ts";
import { glassOf, itemOutcomes, labelFor, labelOutcomes, transmissions } from "../harness/glass.ts";
import { ownStack } from "../harness/own.ts";

const shelfwire = ownStack();

async function hang(name: string): Promise<string> {
  const barcode = labelFor(name);
  await shelfwire.client.patchItems([{ itemId: name, itemName: `The ${name}`, price: "1.99" }]);
  const request = await shelfwire.client.patchLabels([{ barcode, links: [{ itemId: name }] }]);
  await labelOutcomes(shelfwire, request);
  await glassOf(shelfwire, barcode);
  return barcode;
}

test.serial("a price change appears on the glass in one transmission", async (t) => {
  const barcode = await hang("apple");
  const before = await glassOf(shelfwire, barcode);
  await itemOutcomes(shelfwire, await shelfwire.client.patchItems([{ itemId: "apple", price: "2.49" }]));
  const after = await glassOf(shelfwire, barcode);
  t.notDeepEqual(after, before);
  t.is(transmissions(shelfwire, barcode), 2);
});

test.serial("sending the same price again changes nothing and transmits nothing", async (t) => {
  const barcode = await hang("pear");
  const total = transmissions(shelfwire);
  const [outcome] = await itemOutcomes(
    shelfwire,
    await shelfwire.client.patchItems([{ itemId: "pear", itemName: "The pear", price: "1.99" }]),
  );
  t.is(outcome?.status, "SUCCESS");
  await glassOf(shelfwire, barcode);
  t.is(transmissions(shelfwire), total);
});

test.serial("rule 11: after an item change that flips a scenario, the label shows the new design", async (t) => {
  const barcode = await hang("plum");
  const regular = await glassOf(shelfwire, barcode);
  const offer = { itemId: "plum", properties: { priceKind: "special" } };
  await itemOutcomes(shelfwire, await shelfwire.client.patchItems([offer]));
  await eventually("the offer is shown", async () => !(await glassOf(shelfwire, barcode)).equals(regular));
  await itemOutcomes(
    shelfwire,
    await shelfwire.client.patchItems([{ itemId: "plum", properties: { priceKind: "regular" } }]),
  );
  await eventually("the regular price is back", async () => (await glassOf(shelfwire, barcode)).equals(regular));
  t.pass();
});

test.serial("GET /labels/{barcode}/image is the picture on the glass", async (t) => {
  const barcode = await hang("quince");
  const answer = await shelfwire.call("GET", `/labels/${barcode}/image`);
  t.is(answer.headers.get("content-type"), "image/png");
  t.deepEqual(Buffer.from(await answer.arrayBuffer()), await glassOf(shelfwire, barcode));
});

test.serial("a deleted item leaves no stale price, and is shown again when it is created again", async (t) => {
  const barcode = await hang("cherry");
  const shown = await glassOf(shelfwire, barcode);
  const { requestId } = (await (await shelfwire.call("DELETE", "/items/cherry")).json()) as { requestId: number };
  t.is((await itemOutcomes(shelfwire, requestId))[0]?.status, "SUCCESS");
  t.notDeepEqual(await glassOf(shelfwire, barcode), shown);
  await itemOutcomes(
    shelfwire,
    await shelfwire.client.patchItems([{ itemId: "cherry", itemName: "The cherry", price: "1.99" }]),
  );
  await eventually("the item is shown again", async () => (await glassOf(shelfwire, barcode)).equals(shown));
});

test.serial("labels are drawn again when the colours of their type change", async (t) => {
  const barcode = await hang("medlar");
  const before = await glassOf(shelfwire, barcode);
  const { type: _, ...type } = demoTypes.find((one) => one.type === 1328) ?? t.fail();
  const put = async (order: LabelTypeOrder) =>
    bodyOf(await operate(shelfwire, "PUT", `/t/${TENANT_ID}/api/management/v1/label-types/1328`, order));
  await put({ ...type, colors: ["white", "black"] });
  await eventually("it is drawn without red", async () => !(await glassOf(shelfwire, barcode)).equals(before));
  await put(type);
  await eventually("it is drawn with red again", async () => (await glassOf(shelfwire, barcode)).equals(before));
  t.pass();
});

test.serial("after all these changes an audit finds nothing to repair", async (t) => {
  t.deepEqual(await auditStore(shelfwire), nothingBehind);
});
