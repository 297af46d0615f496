import test from "ava";
import { readPicture } from "../../../drawing/pixels/read-picture.ts";
import { openImageFiles } from "../../../records/files/image-files.ts";
import { canvasDesigns, communicationPacks, designs } from "../../../records/kinds/designs.ts";
import { eslImages, renderedImages } from "../../../records/kinds/pictures.ts";
import { tenants } from "../../../records/kinds/tenants.ts";
import type { Element } from "../../../schemas/canvas.ts";
import { canvasDesignKey, designKey, imageFileKey, labelKey, linkIdOf, tenantKey } from "../../../schemas/keys.ts";
import { TENANT_ID } from "../../../scripts/demo/catalogue.ts";
import { addModel, deleteItem, linkSingle, readLabel, writeItems, writeLabels, writeLinks } from "../../api/calls.ts";
import { auditStore, nothingBehind } from "../../harness/audits/audit.ts";
import { eventually } from "../../harness/eventually.ts";
import { DEMO_STORE, glassOf, labelFor, transmissions } from "../../harness/glass.ts";
import { openShelfwire, type Shelfwire } from "../../harness/shelfwire.ts";

/** A label with three positions in the whole pipeline: each item in its own strip, in the design that the rules chose for it. */
let shelfwire: Shelfwire;
const tenant = tenantKey(TENANT_ID);
const POSITIONS = [0, 1, 2];
const STRIP = 96;

test.before(async () => {
  shelfwire = await openShelfwire();
  await addModel(shelfwire, { name: "Trio", labelTypes: [1328], linkPositions: POSITIONS.length });
  await addDesign("trio", "black");
  await addDesign("trio-special", "red");
  await addRules();
  await writeItems(shelfwire, [
    { itemId: "apple", itemName: "Apple", price: "1.99" },
    { itemId: "pear", itemName: "Pear", price: "2.99" },
    { itemId: "plum", itemName: "Plum", price: "3.99" },
  ]);
});
test.after.always(() => shelfwire.close());

/** Adds a design that shows a link's price in the strip of the link's position. */
async function addDesign(id: string, color: "black" | "red"): Promise<void> {
  const { commit } = shelfwire.system;
  const elements = POSITIONS.map(
    (position): Element => ({
      kind: "price",
      x: position * STRIP,
      y: 0,
      width: STRIP,
      height: 128,
      font: "bold",
      size: 40,
      value: "${item.price}",
      color,
      visible: `link.displayPosition == ${position}`,
    }),
  );
  const canvas = { name: id, width: 296, height: 128, background: "white" as const, elements };
  const canvasId = canvasDesignKey(tenant, id);
  await commit.change(canvasDesigns, [canvasId], () => canvas, "bulk");
  const design = { name: id, canvasId, compatible_esltype_ids: [1328] };
  await commit.change(designs, [designKey(tenant, id)], () => design, "bulk");
}

/** Labels at the location "trio" have designs for several items; all other labels have the demo's. */
async function addRules(): Promise<void> {
  const { commit, records } = shelfwire.system;
  const pack = (await records.read(tenants, [tenant])).get(tenant)?.communicationPack ?? "";
  const trio = {
    id: "trio",
    name: "Several items",
    cel_expression: 'link.location == "trio"',
    design_ids: [designKey(tenant, "trio")],
    children: [
      {
        id: "trio-special",
        name: "Special offer",
        cel_expression: 'item.priceKind == "special"',
        design_ids: [designKey(tenant, "trio-special")],
        children: [],
      },
    ],
  };
  await commit.change(
    communicationPacks,
    [pack],
    (_, current) => current && { ...current, scenarios: [trio, ...current.scenarios] },
    "bulk",
  );
}

const at = (itemId: string, displayPosition: number) => ({ itemId, displayPosition });

/** Returns the colours that the label shows in each strip. */
function stripsOf(png: Buffer): string[] {
  const { width, height, palette, pixels } = readPicture(png);
  return POSITIONS.map((position) => {
    const seen = new Set<string>();
    for (let y = 0; y < height; y += 1) {
      for (let x = position * STRIP; x < (position + 1) * STRIP; x += 1)
        seen.add(palette[pixels[y * width + x] ?? 0] ?? "");
    }
    return [...seen].filter((color) => color !== "white").join(" ");
  });
}

const shows = (barcode: string, strips: string[]) =>
  eventually(`${barcode} shows ${strips}`, async () => {
    const png = await glassOf(shelfwire, barcode);
    return stripsOf(png).join() === strips.join() && png;
  });

test.serial("each position shows its own item in the design that the rules choose for it", async (t) => {
  const barcode = labelFor("trio");
  const links = [at("apple", 0), at("pear", 1), at("plum", 2)];
  await writeLabels(shelfwire, [{ barcode, modelName: "Trio", plLocation: "trio", links }]);
  const all = await shows(barcode, ["black", "black", "black"]);

  await writeItems(shelfwire, [{ itemId: "pear", properties: { priceKind: "special" } }]);
  const special = await shows(barcode, ["black", "red", "black"]);
  await writeItems(shelfwire, [{ itemId: "pear", properties: { priceKind: "regular" } }]);
  t.deepEqual(await shows(barcode, ["black", "black", "black"]), all);
  t.notDeepEqual(special, all);

  // When two strips are exchanged, no item's picture appears in another item's strip.
  await writeLabels(shelfwire, [{ barcode, links: [at("pear", 0), at("apple", 1)] }]);
  await eventually("the strips are exchanged", async () => !(await glassOf(shelfwire, barcode)).equals(all));
  await writeLabels(shelfwire, [{ barcode, links: [at("apple", 0), at("pear", 1)] }]);
  await eventually("and back", async () => (await glassOf(shelfwire, barcode)).equals(all));
});

test.serial("an unlink of one position leaves the others unchanged; a new link restores it", async (t) => {
  const barcode = labelFor("trio");
  const before = await shows(barcode, ["black", "black", "black"]);
  await writeLinks(shelfwire, "DELETE", `/labels/${barcode}/links/1`);
  await shows(barcode, ["black", "", "black"]);
  await writeLinks(shelfwire, "PATCH", `/links/${linkIdOf(barcode, 0)}`, { status: "INACTIVE" });
  await shows(barcode, ["", "", "black"]);
  t.deepEqual(
    (await readLabel(shelfwire, barcode)).links.map(({ itemId }) => itemId),
    ["plum"],
  );
  await writeLinks(shelfwire, "PATCH", `/links/${linkIdOf(barcode, 0)}`, { status: "ACTIVE" });
  await writeLabels(shelfwire, [{ barcode, links: [at("pear", 1)] }]);
  t.deepEqual(await shows(barcode, ["black", "black", "black"]), before);
  await writeLinks(shelfwire, "DELETE", `/labels/${barcode}/links`);
  await shows(barcode, ["", "", ""]);
  await writeLabels(shelfwire, [{ barcode, links: [at("apple", 0), at("pear", 1), at("plum", 2)] }]);
  t.deepEqual(await shows(barcode, ["black", "black", "black"]), before);
});

test.serial("a deleted item disappears from its strip, and returns to it when it is created again", async (t) => {
  const barcode = labelFor("trio");
  const before = await shows(barcode, ["black", "black", "black"]);
  await deleteItem(shelfwire, "plum");
  await shows(barcode, ["black", "black", ""]);
  await writeItems(shelfwire, [{ itemId: "plum", itemName: "Plum", price: "3.99" }]);
  t.deepEqual(await shows(barcode, ["black", "black", "black"]), before);
});

test.serial("link-single of one position returns LINKED when the label shows it next to the others", async (t) => {
  const barcode = labelFor("trio by link-single");
  const label = { barcode, modelName: "Trio", plLocation: "trio" };
  t.true(await linkSingle(shelfwire, { ...label, itemId: "apple", displayPosition: 0 }));
  t.true(await linkSingle(shelfwire, { ...label, itemId: "pear", displayPosition: 2 }));
  await shows(barcode, ["black", "", "black"]);
});

test.serial(
  "two designs that draw on the same pixels show the first position and put the label in ERROR",
  async (t) => {
    const barcode = labelFor("overlap");
    const alone = labelFor("alone");
    await writeLabels(shelfwire, [
      { barcode, modelName: "Trio", links: [at("apple", 0), at("pear", 1)] },
      { barcode: alone, links: [at("apple", 0)] },
    ]);
    const apple = await glassOf(shelfwire, alone);
    await eventually("the label is in ERROR", async () => (await readLabel(shelfwire, barcode)).plState === "ERROR");
    await eventually("the first position is on the glass", async () =>
      shelfwire.labelServer.labels.get(barcode)?.pages.get(0)?.png?.equals(apple),
    );
    const key = labelKey(DEMO_STORE, barcode);
    const image = (await shelfwire.system.records.read(eslImages, [key])).get(key);
    t.is(image?.fault?.reason, "POSITIONS_OVERLAP");
    t.regex(image?.fault?.detail ?? "", /position 1/);
    await writeLinks(shelfwire, "DELETE", `/labels/${barcode}/links/1`);
    t.deepEqual(await glassOf(shelfwire, barcode), apple);
    t.is(transmissions(shelfwire, alone), 1);
    t.deepEqual(await auditStore(shelfwire), nothingBehind);
  },
);

test.serial("pictures whose files were lost are redrawn by the audits of their stages", async (t) => {
  const { db, records, now } = shelfwire.system;
  const inUse = new Set<string>();
  for await (const batch of records.scan(renderedImages, `${DEMO_STORE}/`))
    for (const { image } of batch) inUse.add(imageFileKey(tenant, image));
  const drawn = inUse.size;
  for await (const batch of records.scan(eslImages, `${DEMO_STORE}/`))
    for (const { pages } of batch) for (const { image } of pages) inUse.add(imageFileKey(tenant, image));
  t.true(inUse.size > drawn && drawn > 0, "some files are the renderer's, and some are the merger's");
  const sent = transmissions(shelfwire);

  await db.collection("image").deleteMany({});
  const missing = async () => (await openImageFiles(db, now).findMissing([...inUse])).size;
  await eventually("every picture is stored again", async () => {
    await auditStore(shelfwire);
    return (await missing()) === 0;
  });
  t.is(transmissions(shelfwire), sent, "a picture that a label already shows is not sent");
});
