import test from "ava";
import { canvasDesigns, designs } from "../../../records/kinds/designs.ts";
import { storeLinks } from "../../../records/kinds/links.ts";
import { eslImages } from "../../../records/kinds/pictures.ts";
import type { Design } from "../../../schemas/design.ts";
import { canvasDesignKey, designKey, itemKey, labelKey, tenantKey } from "../../../schemas/keys.ts";
import { TENANT_ID } from "../../../scripts/demo/catalogue.ts";
import { readLabel, writeItems, writeLabels, writeLinks } from "../../api/calls.ts";
import { manage } from "../../api/management/calls.ts";
import { auditStore, nothingBehind } from "../../harness/audits/audit.ts";
import { eventually } from "../../harness/eventually.ts";
import { DEMO_STORE, glassOf, labelFor } from "../../harness/glass.ts";
import { ownStack } from "../../harness/own.ts";

const shelfwire = ownStack();
const tenant = tenantKey(TENANT_ID);
const poster = designKey(tenant, "poster");
const order = { name: "Poster", canvasId: "poster", compatible_esltype_ids: [1328] };
const links = (method: string, path: string, body?: object) => writeLinks(shelfwire, method, path, body);
const changeDesign = (change: (current: Design) => Design) =>
  shelfwire.system.commit.change(designs, [poster], (_, current) => current && change(current), "interactive");

test.before(async () => {
  const { commit } = shelfwire.system;
  const canvas = {
    name: "Poster",
    width: 296,
    height: 128,
    background: "red",
    elements: [
      {
        kind: "price",
        x: 0,
        y: 0,
        width: 296,
        height: 128,
        font: "bold",
        size: 60,
        color: "black",
        value: "${item.price}",
      },
    ],
  } as const;
  await commit.change(
    canvasDesigns,
    [canvasDesignKey(tenant, "poster")],
    () => ({ ...canvas, elements: [...canvas.elements] }),
    "interactive",
  );
  await manage(shelfwire, "PUT", "/designs/poster", order);
  await writeItems(shelfwire, [{ itemId: "apple", itemName: "Apple", price: "1.99" }]);
  await writeItems(shelfwire, [{ itemId: "pear", itemName: "Pear", price: "2.99" }]);
});

const pagesOf = async (barcode: string) => {
  const key = labelKey(DEMO_STORE, barcode);
  return (await shelfwire.system.records.read(eslImages, [key])).get(key);
};
const isInError = async (barcode: string) => (await readLabel(shelfwire, barcode)).plState === "ERROR";
const shows = (barcode: string, png: Buffer) =>
  eventually(`${barcode} shows its design`, async () => (await glassOf(shelfwire, barcode)).equals(png));

const ecclink = { eccModelId: "offer", parameters: { banner: "TODAY" } };
/** Origins of links that name the design themselves. */
const origins: [origin: string, body: object][] = [
  ["a designer link's own design", { designId: "poster" }],
  ["the forced design of a studio link", { forced_design_id: "poster" }],
  ["the forced design of a designer link", { designId: "regular-296x128", forced_design_id: "poster" }],
  ["the forced design of an ECC link", { ecclink, forced_design_id: "poster" }],
];
const withdrawals: [how: string, withdraw: () => Promise<unknown>, detail: RegExp][] = [
  [
    "is deleted",
    () => manage(shelfwire, "DELETE", "/designs/poster"),
    /the design "t\/demo\/designs\/poster" for the label type \d+ does not exist/,
  ],
  [
    "stops fitting the label's type",
    () => changeDesign((current) => ({ ...current, compatible_esltype_ids: [] })),
    /the design "t\/demo\/designs\/poster" is not for the label type 1328/,
  ],
];

for (const [how, withdraw, detail] of withdrawals) {
  test.serial(`rule 7: a design that ${how} is no longer drawn, whatever names it, until it returns`, async (t) => {
    const barcodes = origins.map(([origin]) => labelFor(`${origin} ${how}`));
    for (const [index, [, body]] of origins.entries())
      await links("POST", "/links", { barcode: barcodes[index], itemId: "apple", ...body });
    const drawn = await Promise.all(barcodes.map((barcode) => glassOf(shelfwire, barcode)));
    for (const png of drawn) t.deepEqual(png, drawn[0], "each label is drawn with the design");

    await withdraw();
    for (const [index, [origin]] of origins.entries()) {
      const barcode = barcodes[index] ?? "";
      await eventually(`${origin}: ERROR`, () => isInError(barcode));
      const fault = (await pagesOf(barcode))?.fault;
      t.is(fault?.reason, "NO_COMPATIBLE_DESIGN", origin);
      t.regex(fault?.detail ?? "", detail, origin);
      await eventually(`${origin}: its price is off the glass`, async () => {
        const png = shelfwire.labelServer.labels.get(barcode)?.pages.get(0)?.png;
        return png !== undefined && !png.equals(drawn[0] as Buffer);
      });
    }

    t.true((await manage(shelfwire, "PUT", "/designs/poster", order)).ok);
    for (const barcode of barcodes) await shows(barcode, drawn[0] as Buffer);
    t.deepEqual(await auditStore(shelfwire), nothingBehind);
  });
}

test.serial("rule 7: if the design of a store-level link is deleted, the pack's choice is drawn", async (t) => {
  const { commit } = shelfwire.system;
  const [barcode, other] = [labelFor("at the store"), labelFor("by the pack")];
  await writeLabels(shelfwire, [{ barcode, links: [{ itemId: "pear" }] }]);
  const chosen = await glassOf(shelfwire, barcode);
  const storeLink = { itemId: "pear", designId: poster, status: "ACTIVE", stamp: 1 } as const;
  await commit.change(storeLinks, [itemKey(DEMO_STORE, "pear")], () => storeLink, "interactive");
  await eventually("the store's design", async () => !(await glassOf(shelfwire, barcode)).equals(chosen));
  await manage(shelfwire, "DELETE", "/designs/poster");
  await shows(barcode, chosen);
  await writeLabels(shelfwire, [{ barcode: other, links: [{ itemId: "pear" }] }]);
  await shows(other, chosen);
  t.deepEqual(await auditStore(shelfwire), nothingBehind);
});
