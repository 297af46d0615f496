import test from "ava";
import { Jimp } from "jimp";
import { labelTypes } from "../../../records/kinds/tenants.ts";
import { labelTypeKey, tenantKey } from "../../../schemas/keys.ts";
import type { LabelType } from "../../../schemas/label-type.ts";
import { TENANT_ID } from "../../../scripts/demo/catalogue.ts";
import { numberOf, sendPageImage } from "../../api/calls.ts";
import { auditStore, nothingBehind } from "../../harness/audits/audit.ts";
import { eventually } from "../../harness/eventually.ts";
import { glassOf, itemOutcomes, labelFor, labelOutcomes, transmissions } from "../../harness/glass.ts";
import { ownStack } from "../../harness/own.ts";

const shelfwire = ownStack();
test.before(async () => {
  // Labels of this type have a second page.
  const key = labelTypeKey(tenantKey(TENANT_ID), 1328);
  const twoPages = (_: string, type: LabelType | undefined) => type && { ...type, pages: 2 };
  await shelfwire.system.commit.change(labelTypes, [key], twoPages, "bulk");
});

const RED = 0xff0000ff;
const BLACK = 0x000000ff;

async function hang(itemId: string, barcode = labelFor(itemId)): Promise<string> {
  await shelfwire.client.patchItems([{ itemId, itemName: `The ${itemId}`, price: "1.99" }]);
  await labelOutcomes(shelfwire, await shelfwire.client.patchLabels([{ barcode, links: [{ itemId }] }]));
  await glassOf(shelfwire, barcode);
  return barcode;
}

/** Sends an image whose left half has one colour, and its right half another. */
async function upload(itemId: string, page: number, left: number, right: number): Promise<string | undefined> {
  const image = new Jimp({ width: 296, height: 128, color: right });
  image.composite(new Jimp({ width: 148, height: 128, color: left }), 0, 0);
  const answer = await sendPageImage(shelfwire, itemId, page, await image.getBuffer("image/png"));
  return (await itemOutcomes(shelfwire, await numberOf(answer)))[0]?.status;
}

const remove = async (path: string) => itemOutcomes(shelfwire, await numberOf(await shelfwire.call("DELETE", path)));

/** Returns the colours that the label shows on the left and on the right of a page. */
async function seenOn(barcode: string, page: number): Promise<number[] | undefined> {
  await glassOf(shelfwire, barcode);
  const png = shelfwire.labelServer.labels.get(barcode)?.pages.get(page)?.png;
  if (png === undefined) return undefined;
  const { bitmap } = await Jimp.read(png);
  return [0, 147, 148, 295].map((x) => bitmap.data.readUInt32BE((64 * bitmap.width + x) * 4));
}

test.serial("an uploaded image appears on the glass, pixel by pixel, on its page", async (t) => {
  const barcode = await hang("apple");
  t.is(await upload("apple", 0, RED, BLACK), "SUCCESS");
  t.deepEqual(await seenOn(barcode, 0), [RED, RED, BLACK, BLACK]);
  t.is(await upload("apple", 1, BLACK, RED), "SUCCESS");
  t.deepEqual(await seenOn(barcode, 1), [BLACK, BLACK, RED, RED]);
  t.deepEqual(await seenOn(barcode, 0), [RED, RED, BLACK, BLACK]);
});

test.serial("an uploaded image stays when the price changes, and the new price is not drawn over it", async (t) => {
  const barcode = await hang("pear");
  await upload("pear", 0, RED, BLACK);
  await seenOn(barcode, 0);
  const total = transmissions(shelfwire, barcode);
  await itemOutcomes(shelfwire, await shelfwire.client.patchItems([{ itemId: "pear", price: "2.49" }]));
  t.deepEqual(await seenOn(barcode, 0), [RED, RED, BLACK, BLACK]);
  t.is(transmissions(shelfwire, barcode), total);
});

test.serial("the newest upload wins, and uploading it again sends nothing", async (t) => {
  const barcode = await hang("plum");
  await upload("plum", 0, RED, BLACK);
  await upload("plum", 0, BLACK, RED);
  t.deepEqual(await seenOn(barcode, 0), [BLACK, BLACK, RED, RED]);
  const total = transmissions(shelfwire, barcode);
  await upload("plum", 0, BLACK, RED);
  await glassOf(shelfwire, barcode);
  t.is(transmissions(shelfwire, barcode), total);
});

test.serial("after an upload is deleted, the drawn picture returns with the current price", async (t) => {
  const [barcode, other] = [await hang("quince"), await hang("twin", labelFor("twin"))];
  const drawn = await glassOf(shelfwire, barcode);
  await upload("quince", 0, RED, BLACK);
  t.notDeepEqual(await glassOf(shelfwire, barcode), drawn);
  await itemOutcomes(shelfwire, await shelfwire.client.patchItems([{ itemId: "quince", price: "2.49" }]));
  await remove("/items/quince/page/0");
  t.notDeepEqual(await glassOf(shelfwire, barcode), drawn, "the price has changed meanwhile");
  await itemOutcomes(shelfwire, await shelfwire.client.patchItems([{ itemId: "quince", price: "1.99" }]));
  t.deepEqual(await glassOf(shelfwire, barcode), drawn);
  t.is(transmissions(shelfwire, other), 1, "nothing is sent to other items' labels");
});

test.serial("a deleted item leaves no image; created again, it shows the drawn picture", async (t) => {
  const barcode = await hang("cherry");
  const drawn = await glassOf(shelfwire, barcode);
  await upload("cherry", 0, RED, BLACK);
  t.notDeepEqual(await glassOf(shelfwire, barcode), drawn);
  await remove("/items/cherry");
  const blank = await glassOf(shelfwire, barcode);
  t.notDeepEqual(blank, drawn);
  t.not((await seenOn(barcode, 0))?.[0], RED);
  await hang("cherry", barcode);
  t.deepEqual(await glassOf(shelfwire, barcode), drawn);
});

test.serial("a relinked label shows its new item's image, or the drawn picture if there is none", async (t) => {
  const barcode = await hang("fig");
  await hang("date", labelFor("of the date"));
  await upload("fig", 0, RED, BLACK);
  await upload("date", 0, BLACK, RED);
  t.deepEqual(await seenOn(barcode, 0), [RED, RED, BLACK, BLACK]);
  await hang("date", barcode);
  t.deepEqual(await seenOn(barcode, 0), [BLACK, BLACK, RED, RED]);
  await hang("grape", barcode);
  t.deepEqual(await glassOf(shelfwire, barcode), await glassOf(shelfwire, await hang("grape", labelFor("grape"))));
});

test.serial("a label linked after the upload shows it", async (t) => {
  await itemOutcomes(shelfwire, await shelfwire.client.patchItems([{ itemId: "lime", price: "1.99" }]));
  t.is(await upload("lime", 0, RED, BLACK), "SUCCESS");
  const barcode = await hang("lime");
  t.deepEqual(await seenOn(barcode, 0), [RED, RED, BLACK, BLACK]);
});

test.serial("after all these changes an audit finds nothing to repair, and no label waits", async (t) => {
  await eventually("all labels are OK", async () => {
    const labels = (await (await shelfwire.call("GET", "/labels")).json()) as { plState: string }[];
    return labels.every(({ plState }) => plState === "OK");
  });
  t.deepEqual(await auditStore(shelfwire), nothingBehind);
});
