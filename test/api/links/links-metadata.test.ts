import test from "ava";
import { linkIdOf } from "../../../schemas/keys.ts";
import { labelFor } from "../../harness/glass.ts";
import type { Shelfwire } from "../../harness/shelfwire.ts";
import { refused, writeItems, writeLabels } from "../calls.ts";
import { design, FITS, linkCalls, openForLinks, TOO_LARGE } from "./link-calls.ts";

let shelfwire: Shelfwire;
const { read, post, patch, evaluated } = linkCalls(() => shelfwire);
test.before(async () => {
  shelfwire = await openForLinks();
});
test.after.always(() => shelfwire.close());

const metadata = {
  designerlink: { canvasId: FITS, designVersion: 2, creationTimestamp: "2026-01-02T03:04:05Z", author: "Ana" },
  ecclink: { eccModelId: "m1", parameters: { "unit.price": "1", $set: "2" }, renderingHints: { constructor: "3" } },
};

test.serial("a designer link keeps its design and its metadata", async (t) => {
  const barcode = labelFor("designed");
  const { linkId } = await post({ barcode, itemId: "apple", designId: FITS, designerlink: metadata.designerlink });
  const link = await read(linkId);
  t.deepEqual(link.designerlink, metadata.designerlink);
  t.like(link, { designId: design(FITS), forced_design_id: null, studiolink: undefined, ecclink: undefined });
});

test.serial("a designer link that names only a canvas uses the canvas's design that fits", async (t) => {
  const { linkId, outcome } = await post({
    barcode: labelFor("canvas"),
    itemId: "apple",
    designerlink: { canvasId: FITS },
  });
  t.is(outcome?.status, "SUCCESS");
  const link = await read(linkId);
  t.is(link.designId, design(FITS));
  t.deepEqual(link.designerlink, { canvasId: FITS, designVersion: null, creationTimestamp: null, author: null });
  const { outcome: refusedRow } = await post({
    barcode: labelFor("canvas"),
    itemId: "apple",
    designerlink: { canvasId: TOO_LARGE },
  });
  t.is(refusedRow?.status, "ERROR");
});

test.serial("a design without metadata creates a designer link without metadata", async (t) => {
  const { linkId } = await post({ barcode: labelFor("plain design"), itemId: "apple", designId: FITS });
  t.like(await read(linkId), { designId: design(FITS), designerlink: undefined, studiolink: undefined });
});

test.serial("an ECC link keeps its model and maps with any keys; its designId is the model", async (t) => {
  const { linkId } = await post({ barcode: labelFor("modelled"), itemId: "apple", ecclink: metadata.ecclink });
  const link = await read(linkId);
  t.deepEqual(link.ecclink, metadata.ecclink);
  t.like(link, { designId: "m1", designerlink: undefined, studiolink: undefined });
});

test.serial("a studio link keeps its priority and validity; the rules choose the rest", async (t) => {
  const studiolink = { scenarioId: "mine", conditions: ["false"], priority: 7, validityPeriod: { from: "2026-01-01" } };
  const { linkId } = await post({ barcode: labelFor("studio"), itemId: "apple", designId: "ignored", studiolink });
  const link = await evaluated(linkId);
  t.deepEqual(link.studiolink, {
    scenarioId: "regular",
    conditions: ["true"],
    priority: 7,
    validityPeriod: { from: "2026-01-01" },
    design_id: design(FITS),
  });
});

test.serial("setting one kind of metadata removes the other kind", async (t) => {
  const { linkId } = await post({ barcode: labelFor("changing"), itemId: "apple" });
  const kinds = async () => {
    const { designerlink, ecclink, studiolink } = await read(linkId);
    return Object.entries({ designerlink, ecclink, studiolink }).flatMap(([kind, value]) => (value ? [kind] : []));
  };
  t.deepEqual(await kinds(), ["studiolink"]);
  await patch(linkId, { designerlink: metadata.designerlink });
  t.deepEqual(await kinds(), ["designerlink"]);
  await patch(linkId, { ecclink: metadata.ecclink });
  t.deepEqual(await kinds(), ["ecclink"]);
  t.is((await read(linkId)).designId, "m1");
  await patch(linkId, { studiolink: {} });
  t.deepEqual(await kinds(), ["studiolink"]);
  await refused(t, await shelfwire.call("PATCH", `/links/${linkId}`, { ...metadata }), 400);
});

test.serial(
  "a label's row keeps a designer link with the same item; another item makes it a studio link",
  async (t) => {
    const barcode = labelFor("confirmed");
    const { linkId } = await post({ barcode, itemId: "apple", designId: FITS, designerlink: metadata.designerlink });
    await writeLabels(shelfwire, [{ barcode, links: [{ itemId: "apple" }] }]);
    t.truthy((await read(linkId)).designerlink);
    await shelfwire.call("POST", "/labels/link-single?timeout=0", { barcode, itemId: "pear" });
    t.like(await read(linkId), { itemId: "pear", designerlink: undefined });
    t.truthy((await read(linkId)).studiolink);
  },
);

test.serial("a response can be sent back as a body and changes nothing", async (t) => {
  for (const body of [
    {},
    { designId: FITS },
    { designId: FITS, ...{ designerlink: metadata.designerlink } },
    { ecclink: metadata.ecclink },
  ]) {
    const barcode = labelFor(`sent back ${JSON.stringify(body)}`);
    const { linkId } = await post({
      barcode,
      itemId: "apple",
      linkedItemId: "4001",
      facings: "2",
      forced_design_id: FITS,
      ...body,
    });
    const before = await evaluated(linkId);
    t.is((await patch(linkId, before))?.status, "SUCCESS");
    t.deepEqual(await read(linkId), before);
    const { outcome } = await post(before);
    t.is(outcome?.status, "SUCCESS");
    t.deepEqual(await read(linkId), before);
  }
});

test.serial(
  "only POST /links sets a link's design: rows of labels and items treat it as an unknown field",
  async (t) => {
    const [byLabel, byItem] = [labelFor("row of a label"), labelFor("row of an item")];
    const hidden = { design: { origin: "designer" as const, designId: design(FITS) } };
    await writeLabels(shelfwire, [{ barcode: byLabel, links: [{ itemId: "apple", ...hidden }] }]);
    await writeItems(shelfwire, [{ itemId: "apple", links: [{ barcode: byItem, ...hidden }] }]);
    for (const barcode of [byLabel, byItem]) t.truthy((await read(linkIdOf(barcode, 0))).studiolink);
  },
);
