import test from "ava";
import { Jimp } from "jimp";
import { itemPages } from "../../../records/kinds/items.ts";
import { itemKey, uploadKey } from "../../../schemas/keys.ts";
import { numberOf, sendPageImage, writeItems, writeLabels } from "../../api/calls.ts";
import { auditStore, nothingBehind } from "../../harness/audits/audit.ts";
import { eventually } from "../../harness/eventually.ts";
import { DEMO_STORE, glassOf, itemOutcomes, labelFor } from "../../harness/glass.ts";
import { ownStack } from "../../harness/own.ts";

const ITEMS = ["lime", "pear", "plum", "fig", "date", "quince"];

/** Labels that start to show an item after its page image has been uploaded. */
const shelfwire = ownStack();
test.before(() =>
  writeItems(
    shelfwire,
    ITEMS.map((itemId) => ({ itemId, itemName: itemId, price: "1.99" })),
  ),
);

const RED = 0xff0000ff;
const LARGE = "1340";
/** A type of label with two positions. */
const WIDE = "1660";

async function upload(itemId: string, resize: number): Promise<void> {
  const image = await new Jimp({ width: 296, height: 128, color: RED }).getBuffer("image/png");
  const answer = await sendPageImage(shelfwire, itemId, 0, image, resize);
  const [outcome] = await itemOutcomes(shelfwire, await numberOf(answer));
  if (outcome?.status !== "SUCCESS") throw new Error(`the upload is ${JSON.stringify(outcome)}`);
}

const link = (barcode: string, itemId: string, displayPosition = 0) =>
  writeLabels(shelfwire, [{ barcode, links: [{ itemId, displayPosition }] }]);

/** Whether the middle row of the glass is red, as it is in the uploaded image but in nothing that a design draws. */
async function isRed(barcode: string): Promise<boolean> {
  const { bitmap } = await Jimp.read(await glassOf(shelfwire, barcode));
  const row = Math.floor(bitmap.height / 2);
  return [0.3, 0.5, 0.7].every(
    (part) => bitmap.data.readUInt32BE((row * bitmap.width + Math.floor(bitmap.width * part)) * 4) === RED,
  );
}
const untilShown = (barcode: string) => eventually(`${barcode} shows the upload`, () => isRed(barcode));
const untilDrawn = (barcode: string) => eventually(`${barcode} shows no upload`, async () => !(await isRed(barcode)));

test.serial("a label of another size linked after the upload shows it", async (t) => {
  await link(labelFor("before"), "lime");
  await upload("lime", 1);
  await untilShown(labelFor("before"));
  const large = labelFor("later", LARGE);
  await link(large, "lime");
  await untilShown(large);
  t.deepEqual(await auditStore(shelfwire), nothingBehind);
});

test.serial("an upload without resizing appears only on labels of its size", async (t) => {
  await link(labelFor("its size"), "pear");
  await upload("pear", 0);
  await untilShown(labelFor("its size"));
  const large = labelFor("another size", LARGE);
  await link(large, "pear");
  await untilDrawn(large);
  t.deepEqual(await auditStore(shelfwire), nothingBehind);
});

test.serial("a label with two positions shows the image while both show the same item", async (t) => {
  const barcode = labelFor("pair", WIDE);
  await link(barcode, "plum", 1);
  await upload("plum", 2);
  await untilShown(barcode);
  await link(barcode, "fig", 0);
  await untilDrawn(barcode);
  await link(barcode, "plum", 0);
  await untilShown(barcode);
  t.deepEqual(await auditStore(shelfwire), nothingBehind);
});

test.serial("the audit requests a lost size again", async (t) => {
  const orders = shelfwire.system.publisher.queue("sizes");
  await link(labelFor("of the date"), "date");
  await upload("date", 2);
  await untilShown(labelFor("of the date"));
  await orders.pause();
  const large = labelFor("lost", LARGE);
  await link(large, "date");
  await eventually("the size is ordered", async () => (await orders.count()) > 0);
  await orders.drain();
  await orders.resume();
  await untilDrawn(large);
  t.is((await auditStore(shelfwire)).merger, 1);
  await untilShown(large);
});

test.serial("an upload that is no longer stored is recorded, and the label shows the drawn picture", async (t) => {
  const key = itemKey(DEMO_STORE, "quince");
  const pages = async () => (await shelfwire.system.records.read(itemPages, [key])).get(key);
  await link(labelFor("of the quince"), "quince");
  await upload("quince", 1);
  await untilShown(labelFor("of the quince"));
  const name = (await pages())?.sources?.[0]?.upload ?? "";
  await shelfwire.system.db.collection<{ _id: string }>("upload").deleteOne({ _id: uploadKey(DEMO_STORE, name) });
  const large = labelFor("without", LARGE);
  await link(large, "quince");
  const failed = await eventually("the failure is recorded", async () => (await pages())?.sources?.[0]?.failed);
  t.true(failed.every(({ reason }) => /send it again/.test(reason)));
  await untilDrawn(large);
  t.deepEqual(await auditStore(shelfwire), nothingBehind);
});
