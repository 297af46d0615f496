import test from "ava";
import { linkIdOf } from "../../../schemas/keys.ts";
import { STORE_ID } from "../../../scripts/demo/catalogue.ts";
import { addModel, linkSingle, readLabel, writeItems, writeLabels, writeLinks } from "../../api/calls.ts";
import { auditStore, nothingBehind } from "../../harness/audits/audit.ts";
import { eventually } from "../../harness/eventually.ts";
import { glassOf, labelFor, transmissions } from "../../harness/glass.ts";
import { ownStack } from "../../harness/own.ts";

const shelfwire = ownStack();
test.before(async () => {
  await addModel(shelfwire, { name: "Two", labelTypes: [1328], linkPositions: 2 });
  await writeItems(shelfwire, [
    { itemId: "apple", itemName: "Apple", price: "1.99" },
    { itemId: "pear", itemName: "Pear", price: "2.99" },
  ]);
});

const links = (method: string, path: string, body?: object) => writeLinks(shelfwire, method, path, body);

/** Hangs a label that shows an item. */
async function hang(name: string, itemId = "apple", type = "1328"): Promise<string> {
  const barcode = labelFor(name, type);
  await writeLabels(shelfwire, [{ barcode, links: [{ itemId }] }]);
  await glassOf(shelfwire, barcode);
  return barcode;
}

/** Waits until the picture on a label's glass is right; returns the picture. */
const shows = (barcode: string, isRight: (png: Buffer) => boolean) =>
  eventually(`${barcode} shows the expected picture`, async () => {
    const png = await glassOf(shelfwire, barcode);
    return isRight(png) && png;
  });

/** Returns the background of a label of type 1328, which the label shows once its only link is removed. */
async function background(): Promise<Buffer> {
  const barcode = await hang("background");
  const shown = await glassOf(shelfwire, barcode);
  await links("DELETE", `/labels/${barcode}/links`);
  return shows(barcode, (png) => !png.equals(shown));
}

test.serial("an unlinked label shows its background: no stale price stays", async (t) => {
  const blank = await background();
  const [whole, position, ofItem] = [await hang("whole"), await hang("position"), await hang("of item", "pear")];
  await links("DELETE", `/labels/${whole}/links`);
  await links("DELETE", `/labels/${position}/links/0`);
  await links("DELETE", "/items/pear/links");
  for (const barcode of [whole, position, ofItem]) {
    t.deepEqual(await glassOf(shelfwire, barcode), blank);
    t.deepEqual((await readLabel(shelfwire, barcode)).links, []);
    t.is(transmissions(shelfwire, barcode), 2);
  }
});

test.serial("a price of an unlinked item is not sent to its former label", async (t) => {
  const [former, present] = [await hang("former"), await hang("present")];
  await links("DELETE", `/labels/${former}/links`);
  await glassOf(shelfwire, former);
  const sent = transmissions(shelfwire, former);
  const before = await glassOf(shelfwire, present);
  await writeItems(shelfwire, [{ itemId: "apple", price: "1.79" }]);
  await shows(present, (png) => !png.equals(before));
  await glassOf(shelfwire, former);
  t.is(transmissions(shelfwire, former), sent);
  t.deepEqual(await auditStore(shelfwire), nothingBehind);
});

test.serial("an unlinked label shows its item again when it is linked again", async (t) => {
  const barcode = await hang("again");
  const shown = await glassOf(shelfwire, barcode);
  await links("DELETE", `/labels/${barcode}/links`);
  await shows(barcode, (png) => !png.equals(shown));
  await links("POST", "/links", { barcode, itemId: "apple" });
  t.deepEqual(await glassOf(shelfwire, barcode), shown);
});

test.serial(
  "a forced design is shown whatever the rules choose; when cleared, the rules' choice returns",
  async (t) => {
    const barcode = await hang("forced");
    const byRule = await glassOf(shelfwire, barcode);
    const linkId = linkIdOf(barcode, 0);
    await links("PATCH", `/links/${linkId}`, { forced_design_id: "no-price-296x128" });
    const forced = await shows(barcode, (png) => !png.equals(byRule));
    await writeItems(shelfwire, [{ itemId: "apple", properties: { priceKind: "special" } }]);
    t.deepEqual(await glassOf(shelfwire, barcode), forced);
    await writeItems(shelfwire, [{ itemId: "apple", properties: { priceKind: "regular" } }]);
    await links("PATCH", `/links/${linkId}`, { forced_design_id: null });
    t.deepEqual(await shows(barcode, (png) => !png.equals(forced)), byRule);
  },
);

test.serial("a deactivated link shows the background, and an activated one its item", async (t) => {
  const blank = await background();
  const barcode = await hang("switched");
  const shown = await glassOf(shelfwire, barcode);
  await links("PATCH", `/links/${linkIdOf(barcode, 0)}`, { status: "INACTIVE" });
  t.deepEqual(await glassOf(shelfwire, barcode), blank);
  await links("PATCH", `/links/${linkIdOf(barcode, 0)}`, { status: "ACTIVE" });
  t.deepEqual(await glassOf(shelfwire, barcode), shown);
});

test.serial("a store-level link changes exactly the item's labels that its design fits", async (t) => {
  await writeItems(shelfwire, [{ itemId: "plum", itemName: "Plum", price: "3.99" }]);
  const fitting = [await hang("plum 1", "plum"), await hang("plum 2", "plum", "1344")];
  const poster = await hang("plum poster", "plum", "1340");
  const own = await hang("plum with a design of its own", "plum");
  const byRule = await glassOf(shelfwire, own);
  await links("PATCH", `/links/${linkIdOf(own, 0)}`, { forced_design_id: "special-296x128" });
  await shows(own, (png) => !png.equals(byRule));
  const before = new Map<string, Buffer>();
  for (const barcode of [...fitting, poster, own]) before.set(barcode, await glassOf(shelfwire, barcode));

  const pair = { storeIds: [STORE_ID], itemIds: ["plum"], designId: "no-price-296x128" };
  t.is((await links("POST", "/links/bulk", { ...pair, operation: "LINK" }))[0]?.status, "SUCCESS");
  for (const barcode of fitting) await shows(barcode, (png) => !png.equals(before.get(barcode) ?? png));
  const later = await hang("plum 3", "plum");
  t.deepEqual(await glassOf(shelfwire, later), await glassOf(shelfwire, fitting[0] ?? ""));
  for (const barcode of [poster, own]) t.deepEqual(await glassOf(shelfwire, barcode), before.get(barcode));

  await links("POST", "/links/bulk", { ...pair, operation: "UNLINK" });
  for (const barcode of fitting) await shows(barcode, (png) => png.equals(before.get(barcode) ?? Buffer.of()));
  t.deepEqual(await auditStore(shelfwire), nothingBehind);
});

test.serial(
  "a designer link is drawn with its own design; after a label's row relinks it, the rules choose the design",
  async (t) => {
    const barcode = await hang("designed");
    const byRule = await glassOf(shelfwire, barcode);
    const designerlink = { canvasId: "no-price-296x128", designVersion: 1 };
    await links("POST", "/links", { barcode, itemId: "apple", designId: "no-price-296x128", designerlink });
    const designed = await shows(barcode, (png) => !png.equals(byRule));
    await links("POST", "/links/bulk", {
      storeIds: [STORE_ID],
      itemIds: ["apple"],
      designId: "special-296x128",
      operation: "LINK",
    });
    t.deepEqual(
      await glassOf(shelfwire, barcode),
      designed,
      "a store-level link applies to links whose design the rules choose",
    );
    await links("DELETE", "/links/item:apple");
    await writeLabels(shelfwire, [{ barcode, links: [{ itemId: "pear" }] }]);
    const pear = await hang("plain pear", "pear");
    t.deepEqual(await shows(barcode, (png) => !png.equals(designed)), await glassOf(shelfwire, pear));
  },
);

test.serial("link-single of a designer link returns LINKED with the link's own design", async (t) => {
  const barcode = labelFor("single and designed");
  await links("POST", "/links", { barcode, itemId: "apple", designId: "no-price-296x128" });
  t.true(await linkSingle(shelfwire, { barcode, itemId: "apple" }));
});

test.serial(
  "a label with two positions shows the other link when one is unlinked, and its background when both are",
  async (t) => {
    const blank = await background();
    const [apple, pear] = [
      await glassOf(shelfwire, await hang("apple")),
      await glassOf(shelfwire, await hang("pear", "pear")),
    ];
    const barcode = labelFor("two positions");
    const at = (itemId: string, displayPosition: number) => ({ itemId, displayPosition });
    await writeLabels(shelfwire, [{ barcode, modelName: "Two", links: [at("apple", 1)] }]);
    t.deepEqual(await glassOf(shelfwire, barcode), apple);
    // Both designs fill the label, so it shows the first position and is in ERROR until one of the links is removed.
    await writeLabels(shelfwire, [{ barcode, links: [at("pear", 0)] }]);
    await eventually("the label is in ERROR", async () => (await readLabel(shelfwire, barcode)).plState === "ERROR");
    t.deepEqual(
      (await readLabel(shelfwire, barcode)).links.map(({ itemId }) => itemId),
      ["pear", "apple"],
    );
    await links("DELETE", `/labels/${barcode}/links/1`);
    t.deepEqual(await glassOf(shelfwire, barcode), pear);
    await links("DELETE", `/labels/${barcode}/links`);
    t.deepEqual(await shows(barcode, (png) => !png.equals(pear)), blank);
  },
);

test.serial("after all these changes an audit finds nothing to repair", async (t) => {
  t.deepEqual(await auditStore(shelfwire), nothingBehind);
});
