import test from "ava";
import { linkIdOf } from "../../../schemas/keys.ts";
import { eventually } from "../../harness/eventually.ts";
import { labelFor } from "../../harness/glass.ts";
import type { Shelfwire } from "../../harness/shelfwire.ts";
import { deleteItem, pointersOf, readLabel, refused, writeItems, writeLabels } from "../calls.ts";
import { design, FITS, linkCalls, openForLinks, TOO_LARGE } from "./link-calls.ts";

let shelfwire: Shelfwire;
const { read, post, patch, remove, list } = linkCalls(() => shelfwire);
test.before(async () => {
  shelfwire = await openForLinks();
});
test.after.always(() => shelfwire.close());

test.serial("a forced design is stored by its full key; null clears it", async (t) => {
  for (const id of [FITS, design(FITS)]) {
    const { linkId } = await post({ barcode: labelFor("forced"), itemId: "apple", forced_design_id: id });
    t.like(await read(linkId), { forced_design_id: design(FITS), designId: design(FITS) });
    t.is((await patch(linkId, { forced_design_id: null }))?.status, "SUCCESS");
    t.is((await read(linkId)).forced_design_id, null);
    t.is((await patch(linkId, { forced_design_id: id }))?.status, "SUCCESS");
    t.is((await read(linkId)).forced_design_id, design(FITS));
  }
});

test.serial("PATCH with an unsuitable forced design makes the row an ERROR and changes nothing", async (t) => {
  const { linkId } = await post({ barcode: labelFor("not forced"), itemId: "apple", facings: "1" });
  const outcome = await patch(linkId, { forced_design_id: TOO_LARGE, facings: "2" });
  t.is(outcome?.status, "ERROR");
  t.regex(outcome?.errors[0] ?? "", new RegExp(`"${design(TOO_LARGE)}".*1328`));
  t.like(await read(linkId), { forced_design_id: null, facings: "1" });
  const other = { forced_design_id: `t/other/designs/${FITS}` };
  t.deepEqual(pointersOf(await refused(t, await shelfwire.call("PATCH", `/links/${linkId}`, other), 400)), [
    "/forced_design_id",
  ]);
});

test.serial("PATCH changes the fields that it names: facings, then the item by a code", async (t) => {
  const barcode = labelFor("patched");
  const { linkId } = await post({ barcode, itemId: "pear", facings: "1" });
  t.deepEqual(await patch(linkId, { facings: "5" }), {
    barcode,
    itemId: "pear",
    displayPosition: 0,
    status: "SUCCESS",
    errors: [],
  });
  t.like(await read(linkId), { itemId: "pear", facings: "5" });
  t.is((await patch(linkId, { linkedItemId: "4001" }))?.itemId, "apple");
  t.like(await read(linkId), { itemId: "apple", linkedItemId: "4001", facings: null });
  t.true((await list("/items/apple/links")).some((link) => link.linkId === linkId));
  t.false((await list("/items/pear/links")).some((link) => link.linkId === linkId));
  t.is((await patch(linkId, { itemId: "nothing" }))?.status, "ITEM_NOT_FOUND");
  t.is((await read(linkId)).itemId, "apple");
});

test.serial("an empty PATCH returns SUCCESS", async (t) => {
  const { linkId } = await post({ barcode: labelFor("left"), itemId: "apple" });
  t.is((await patch(linkId, {}))?.status, "SUCCESS");
});

test.serial("PATCH and DELETE of an unknown link return a row with an outcome, not 404", async (t) => {
  const known = labelFor("known");
  await writeLabels(shelfwire, [{ barcode: known }]);
  for (const linkId of [linkIdOf(labelFor("nobody"), 0), "nonsense", "item:apple"])
    t.like(await patch(linkId, { facings: "1" }), { status: "UNKNOWN" });
  t.is((await patch(linkIdOf(known, 0), { facings: "1" }))?.status, "UNKNOWN");
  t.is((await remove(linkIdOf(known, 0)))?.status, "SUCCESS");
});

test.serial("a status other than ACTIVE and INACTIVE returns 400", async (t) => {
  const bad = await shelfwire.call("PATCH", "/links/any-0", { status: "DELETED" });
  t.deepEqual(pointersOf(await refused(t, bad, 400)), ["/status"]);
});

test.serial("a deactivated link stays INACTIVE when its item is created again, until it is activated", async (t) => {
  await writeItems(shelfwire, [{ itemId: "quince" }]);
  const [off, on] = [labelFor("switched off"), labelFor("left on")];
  const { linkId } = await post({ barcode: off, itemId: "quince" });
  const { linkId: witness } = await post({ barcode: on, itemId: "quince" });
  const statusOf = async (id: string) => (await read(id)).status;
  t.is((await patch(linkId, { status: "INACTIVE" }))?.status, "SUCCESS");
  t.is(await statusOf(linkId), "INACTIVE");
  t.deepEqual((await readLabel(shelfwire, off)).links, []);
  t.deepEqual(
    (await list(`/labels/${off}/links`)).map(({ status }) => status),
    ["INACTIVE"],
  );
  await deleteItem(shelfwire, "quince");
  await eventually("the other link is INACTIVE", async () => (await statusOf(witness)) === "INACTIVE");
  await writeItems(shelfwire, [{ itemId: "quince" }]);
  await eventually("the other link is ACTIVE again", async () => (await statusOf(witness)) === "ACTIVE");
  t.is(await statusOf(linkId), "INACTIVE");
  await patch(linkId, { status: "ACTIVE" });
  t.is(await statusOf(linkId), "ACTIVE");
});

test.serial("relinking the position activates a deactivated link", async (t) => {
  const barcode = labelFor("relinked and on");
  const { linkId } = await post({ barcode, itemId: "apple" });
  for (const relink of [
    () => writeLabels(shelfwire, [{ barcode, links: [{ itemId: "apple" }] }]),
    () => post({ barcode, itemId: "apple" }),
    () => patch(linkId, { itemId: "pear" }),
  ]) {
    await patch(linkId, { status: "INACTIVE" });
    t.is((await read(linkId)).status, "INACTIVE");
    await relink();
    t.is((await read(linkId)).status, "ACTIVE");
  }
});

test.serial("a link whose item is deleted cannot be activated; it returns with the item", async (t) => {
  await writeItems(shelfwire, [{ itemId: "date" }]);
  const { linkId } = await post({ barcode: labelFor("of a date"), itemId: "date" });
  await patch(linkId, { status: "INACTIVE" });
  await deleteItem(shelfwire, "date");
  t.is((await patch(linkId, { status: "ACTIVE" }))?.status, "SUCCESS");
  await eventually("the link has no item", async () => (await read(linkId)).status === "INACTIVE");
  await writeItems(shelfwire, [{ itemId: "date" }]);
  await eventually("the link is ACTIVE again", async () => (await read(linkId)).status === "ACTIVE");
  t.pass();
});

test.serial("INACTIVE links occupy no position: a label may change to a model with fewer positions", async (t) => {
  const barcode = labelFor("shrinking");
  await writeLabels(shelfwire, [{ barcode, modelName: "Three" }]);
  const { linkId } = await post({ barcode, itemId: "apple", displayPosition: 2 });
  const shrink = async () => (await writeLabels(shelfwire, [{ barcode, modelName: "Medium" }]))[0]?.status;
  t.is(await shrink(), "ERROR");
  await patch(linkId, { status: "INACTIVE" });
  t.is(await shrink(), "SUCCESS");
});

test.serial("lists are sorted by label and position and include INACTIVE links", async (t) => {
  const barcode = labelFor("listed");
  await writeItems(shelfwire, [{ itemId: "listed" }]);
  await writeLabels(shelfwire, [{ barcode, modelName: "Three" }]);
  for (const displayPosition of [2, 0, 1]) await post({ barcode, itemId: "listed", displayPosition });
  await patch(linkIdOf(barcode, 1), { status: "INACTIVE" });
  const shown = [
    [0, "ACTIVE"],
    [1, "INACTIVE"],
    [2, "ACTIVE"],
  ];
  for (const path of [`/labels/${barcode}/links`, "/items/listed/links"]) {
    t.deepEqual(
      (await list(path)).map(({ displayPosition, status }) => [displayPosition, status] as unknown),
      shown,
    );
  }
});
