import test from "ava";
import { encodePng } from "../../../drawing/pixels/png.ts";
import { eccLinks } from "../../../records/kinds/links.ts";
import { eccEslImages, eslImages } from "../../../records/kinds/pictures.ts";
import { labelKey, linkIdOf, linkKey } from "../../../schemas/keys.ts";
import { demoStore, labelTypes } from "../../../scripts/demo/catalogue.ts";
import { addModel, linkSingle, readLabel, writeItems, writeLabels, writeLinks } from "../../api/calls.ts";
import { renderEcc } from "../../drawing/links/ecc-links.ts";
import { auditStore, nothingBehind } from "../../harness/audits/audit.ts";
import { eventually } from "../../harness/eventually.ts";
import { DEMO_STORE, glassOf, labelFor, untilOk } from "../../harness/glass.ts";
import { ownStack } from "../../harness/own.ts";
import { storedItem } from "../../scripts/demo/items.ts";

const shelfwire = ownStack();
test.before(async () => {
  await writeItems(shelfwire, [item("1.99"), { itemId: "pear", itemName: "Pear", price: "2.99" }]);
});

const type = labelTypes.find((one) => one.type === 1328) ?? labelTypes[0];
if (!type) throw new Error("the catalogue is empty");

const item = (price: string) => ({ itemId: "apple", itemName: "Apple", price });
const banner = { banner: "TODAY" };

/** Draws the picture of an offer without the pipeline. */
const offerOf = (price: string, parameters: Record<string, string> = banner) =>
  encodePng(renderEcc(type, "offer", parameters, {}, { item: storedItem(item(price)), store: demoStore }).picture);

const links = (method: string, path: string, body?: object) => writeLinks(shelfwire, method, path, body);
const shows = (barcode: string, png: Buffer) =>
  eventually(`${barcode} shows the expected picture`, async () => (await glassOf(shelfwire, barcode)).equals(png));

/** Hangs a label with an ECC link of the offer model. */
async function hang(name: string): Promise<string> {
  const barcode = labelFor(name, "1328");
  const ecclink = { eccModelId: "offer", parameters: banner };
  await links("POST", "/links", { barcode, itemId: "apple", ecclink });
  await shows(barcode, offerOf("1.99"));
  return barcode;
}

test.serial("an ECC link shows its model's picture, through ecclink.v1 and ecceslimage.v1", async (t) => {
  const barcode = await hang("offer");
  const key = linkKey(DEMO_STORE, linkIdOf(barcode, 0));
  const { records } = shelfwire.system;
  const eccLink = (await records.read(eccLinks, [key])).get(key);
  const drawn = (await records.read(eccEslImages, [key])).get(key);
  const label = labelKey(DEMO_STORE, barcode);
  const shown = (await records.read(eslImages, [label])).get(label);
  t.true(drawn?.inputs?.includes(`ecclink.v1 ${key}#${eccLink?.rev}`));
  t.true(shown?.inputs?.includes(`ecceslimage.v1 ${key}#${drawn?.rev}`));
  t.is(shown?.pages[0]?.image, drawn?.image);
  t.is((await readLabel(shelfwire, barcode)).plState, "OK");
});

test.serial("a new price and new parameters appear on the glass immediately", async (t) => {
  const barcode = await hang("changing");
  const linkId = linkIdOf(barcode, 0);
  await writeItems(shelfwire, [{ itemId: "apple", price: "1.49" }]);
  await shows(barcode, offerOf("1.49"));
  const parameters = { banner: "NOW", formerPrice: "1.99" };
  await links("PATCH", `/links/${linkId}`, { ecclink: { eccModelId: "offer", parameters } });
  await shows(barcode, offerOf("1.49", parameters));
  await writeItems(shelfwire, [{ itemId: "apple", price: "1.99" }]);
  await shows(barcode, offerOf("1.99", parameters));
  t.deepEqual(await auditStore(shelfwire), nothingBehind);
});

test.serial(
  "a forced design and the rules' choice replace the model's picture, which returns afterwards",
  async (t) => {
    const barcode = await hang("forced");
    const linkId = linkIdOf(barcode, 0);
    const offer = offerOf("1.99");
    await links("PATCH", `/links/${linkId}`, { forced_design_id: "no-price-296x128" });
    await eventually("the forced design is shown", async () => !(await glassOf(shelfwire, barcode)).equals(offer));
    await links("PATCH", `/links/${linkId}`, { forced_design_id: null });
    await shows(barcode, offer);
    await links("PATCH", `/links/${linkId}`, { studiolink: {} });
    await eventually("the rules choose", async () => !(await glassOf(shelfwire, barcode)).equals(offer));
    await links("PATCH", `/links/${linkId}`, { ecclink: { eccModelId: "offer", parameters: banner } });
    await shows(barcode, offer);
    t.deepEqual(await auditStore(shelfwire), nothingBehind);
  },
);

test.serial("an unknown model puts the label in ERROR with its background, and an unlink ends the ERROR", async (t) => {
  const barcode = await hang("unknown model");
  const linkId = linkIdOf(barcode, 0);
  await links("PATCH", `/links/${linkId}`, { ecclink: { eccModelId: "m1" } });
  await eventually("the label is in ERROR", async () => (await readLabel(shelfwire, barcode)).plState === "ERROR");
  const offer = offerOf("1.99");
  await eventually("the price is off the glass", async () => {
    const png = shelfwire.labelServer.labels.get(barcode)?.pages.get(0)?.png;
    return png !== undefined && !png.equals(offer);
  });
  await links("DELETE", `/links/${linkId}`);
  await untilOk(shelfwire, barcode);
  t.deepEqual(await auditStore(shelfwire), nothingBehind);
});

test.serial("on a label with several positions a model's picture appears next to the rules' choice", async (t) => {
  await addModel(shelfwire, { name: "Both", labelTypes: [1328], linkPositions: 2 });
  const barcode = labelFor("both", "1328");
  await writeLabels(shelfwire, [{ barcode, modelName: "Both" }]);
  await links("POST", "/links", { barcode, itemId: "apple", ecclink: { eccModelId: "offer", parameters: banner } });
  await shows(barcode, offerOf("1.99"));
  await links("POST", "/links", { barcode, displayPosition: 1, itemId: "pear" });
  await eventually("they overlap", async () => (await readLabel(shelfwire, barcode)).plState === "ERROR");
  await links("DELETE", `/links/${linkIdOf(barcode, 1)}`);
  await shows(barcode, offerOf("1.99"));
  t.deepEqual(await auditStore(shelfwire), nothingBehind);
});

test.serial("link-single of an ECC link returns LINKED when its model's picture is acknowledged", async (t) => {
  const barcode = await hang("single");
  t.true(await linkSingle(shelfwire, { barcode, itemId: "apple" }));
});
