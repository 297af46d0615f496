import test from "ava";
import { Jimp } from "jimp";
import { itemPages } from "../../../records/kinds/items.ts";
import { itemKey } from "../../../schemas/keys.ts";
import { numberOf, sendPageImage, writeItems, writeLabels } from "../../api/calls.ts";
import { eventually } from "../../harness/eventually.ts";
import { DEMO_STORE, glassOf, itemOutcomes, labelFor } from "../../harness/glass.ts";
import { ownStack } from "../../harness/own.ts";

const shelfwire = ownStack({ workers: ["item", "link", "evaluator", "renderer", "merger", "transmitter"] });

test("while a page image is drawn, no price and no later request of the store waits for it", async (t) => {
  const barcode = labelFor("apple");
  const image = await new Jimp({ width: 296, height: 128, color: 0xff0000ff }).getBuffer("image/png");
  await writeItems(shelfwire, [{ itemId: "apple", itemName: "Apple", price: "1.99" }]);
  const upload = await numberOf(await sendPageImage(shelfwire, "apple", 0, image));

  // Nothing draws page images yet. Rows with codes are applied in order, and so are rows of labels.
  await writeItems(shelfwire, [{ itemId: "apple", sics: ["3850102123452"] }]);
  await writeLabels(shelfwire, [{ barcode, links: [{ itemId: "apple" }] }]);
  const before = await glassOf(shelfwire, barcode);
  await writeItems(shelfwire, [{ itemId: "apple", price: "2.49" }]);
  await eventually("the price", async () => !(await glassOf(shelfwire, barcode)).equals(before));
  const { status, outcomes } = await shelfwire.client.itemsResult(upload);
  t.is(status, "IN_PROGRESS");
  t.deepEqual(outcomes as unknown, [{ itemId: "apple", status: "PENDING", errors: [] }]);

  await shelfwire.openWorker("pages");
  t.deepEqual((await itemOutcomes(shelfwire, upload)) as unknown, [{ itemId: "apple", status: "SUCCESS", errors: [] }]);
  const key = itemKey(DEMO_STORE, "apple");
  t.true(((await shelfwire.system.records.read(itemPages, [key])).get(key)?.images.length ?? 0) > 0);
  const drawn = await Jimp.read(image);
  await eventually("the image is on the glass", async () => {
    const png = shelfwire.labelServer.labels.get(barcode)?.pages.get(0)?.png;
    return png !== undefined && (await Jimp.read(png)).bitmap.data.equals(drawn.bitmap.data);
  });
});
