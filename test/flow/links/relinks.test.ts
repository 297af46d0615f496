import test from "ava";
import { designs } from "../../../records/kinds/designs.ts";
import { links } from "../../../records/kinds/links.ts";
import { eslImages } from "../../../records/kinds/pictures.ts";
import { designKey, labelKey, linkIdOf, linkKey, tenantKey } from "../../../schemas/keys.ts";
import { TENANT_ID } from "../../../scripts/demo/catalogue.ts";
import { readLabel, writeItems, writeLabels, writeLinks } from "../../api/calls.ts";
import { auditStore, nothingBehind } from "../../harness/audits/audit.ts";
import { eventually } from "../../harness/eventually.ts";
import { DEMO_STORE, glassOf, labelFor, transmissions } from "../../harness/glass.ts";
import { ownStack } from "../../harness/own.ts";

const shelfwire = ownStack();
test.before(async () => {
  await writeItems(shelfwire, [
    { itemId: "apple", itemName: "Apple", price: "1.99" },
    { itemId: "pear", itemName: "Pear", price: "2.99" },
  ]);
});

const readLink = async (barcode: string) => {
  const key = linkKey(DEMO_STORE, linkIdOf(barcode, 0));
  return (await shelfwire.system.records.read(links, [key])).get(key);
};

async function hang(name: string): Promise<string> {
  const barcode = labelFor(name);
  await writeLabels(shelfwire, [{ barcode, links: [{ itemId: "apple" }] }]);
  await glassOf(shelfwire, barcode);
  return barcode;
}

const relinks: [how: string, relink: (barcode: string) => Promise<unknown>][] = [
  ["PATCH /labels", (barcode) => writeLabels(shelfwire, [{ barcode, links: [{ itemId: "pear" }] }])],
  ["POST /links", (barcode) => writeLinks(shelfwire, "POST", "/links", { barcode, itemId: "pear" })],
  ["PATCH /links", (barcode) => writeLinks(shelfwire, "PATCH", `/links/${linkIdOf(barcode, 0)}`, { itemId: "pear" })],
  ["link-single", (barcode) => shelfwire.call("POST", "/labels/link-single", { barcode, itemId: "pear" })],
];
for (const [how, relink] of relinks) {
  test.serial(`a relink by ${how} is one change to the link and one picture: the label is never blank`, async (t) => {
    const barcode = await hang(`relinked by ${how}`);
    const before = await readLink(barcode);
    const apple = await glassOf(shelfwire, barcode);
    await relink(barcode);
    await eventually("the glass shows the new item", async () => !(await glassOf(shelfwire, barcode)).equals(apple));
    t.deepEqual(await auditStore(shelfwire), nothingBehind);
    const after = await readLink(barcode);
    t.like(after, { itemId: "pear", status: "ACTIVE" });
    t.true((after?.rev ?? 0) > (before?.rev ?? 0));
    t.is(transmissions(shelfwire, barcode), 2);
  });
}

test.serial("a label without a fitting design shows its background, in ERROR, until a design fits again", async (t) => {
  const { commit, records } = shelfwire.system;
  const [barcode, blank] = [await hang("unfit"), await hang("blank")];
  const shown = await glassOf(shelfwire, barcode);
  await writeLinks(shelfwire, "DELETE", `/labels/${blank}/links`);
  await eventually("a blank label", async () => !(await glassOf(shelfwire, blank)).equals(shown));
  const background = await glassOf(shelfwire, blank);

  const design = designKey(tenantKey(TENANT_ID), "regular-296x128");
  const types = (await records.read(designs, [design])).get(design)?.compatible_esltype_ids ?? [];
  const setTypes = (compatible_esltype_ids: number[]) =>
    commit.change(designs, [design], (_, current) => current && { ...current, compatible_esltype_ids }, "interactive");
  await setTypes(types.filter((type) => type !== 1328));
  await eventually("the label is in ERROR", async () => (await readLabel(shelfwire, barcode)).plState === "ERROR");
  await eventually("the background is on the glass", async () =>
    shelfwire.labelServer.labels.get(barcode)?.pages.get(0)?.png?.equals(background),
  );
  const key = labelKey(DEMO_STORE, barcode);
  t.is((await records.read(eslImages, [key])).get(key)?.fault?.reason, "NO_COMPATIBLE_DESIGN");
  t.deepEqual(
    (await readLabel(shelfwire, barcode)).links.map(({ itemId }) => itemId),
    ["apple"],
    "the link stays",
  );

  await setTypes(types);
  await eventually("the fitting design is back", async () => (await glassOf(shelfwire, barcode)).equals(shown));
  t.deepEqual(await auditStore(shelfwire), nothingBehind);
});
