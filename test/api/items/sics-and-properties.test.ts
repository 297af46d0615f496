import test from "ava";
import { rowErrors, rowNotice } from "../../../schemas/row-notice.ts";
import { itemOutcomes, labelFor } from "../../harness/glass.ts";
import { ownStack } from "../../harness/own.ts";
import { openShelfwire } from "../../harness/shelfwire.ts";
import { bodyOf, deleteItem, numberOf, pointersOf, readItem, refused, writeItems, writeLabels } from "../calls.ts";

const shelfwire = ownStack({ workers: ["item", "link"] });

const removeSic = async (sic: string) =>
  itemOutcomes(shelfwire, await numberOf(await shelfwire.call("DELETE", `/items/sic/${encodeURIComponent(sic)}`)));

const removeProperty = async (itemId: string, key: string) => {
  const path = `/items/${encodeURIComponent(itemId)}/properties/${encodeURIComponent(key)}`;
  return itemOutcomes(shelfwire, await numberOf(await shelfwire.call("DELETE", path)));
};

test.serial("DELETE /items/sic/{sic} removes the code from its item, which stays unchanged", async (t) => {
  await writeItems(shelfwire, [{ itemId: "apple", price: "1.99", sics: ["4001", "4002"] }]);
  const outcomes: unknown = await removeSic("4001");
  t.deepEqual(outcomes, [{ itemId: "apple", sic: "4001", status: "SUCCESS", errors: [] }]);
  const { price, sics } = await readItem(shelfwire, "apple");
  t.deepEqual({ price, sics }, { price: "1.99", sics: ["4002"] });
});

test.serial("an item's last code can be removed", async (t) => {
  await writeItems(shelfwire, [{ itemId: "pear", sics: ["4011"] }]);
  await removeSic("4011");
  t.deepEqual((await readItem(shelfwire, "pear")).sics, []);
});

test.serial("an unknown or removed code returns ITEM_NOT_FOUND in its row, never a 404", async (t) => {
  await writeItems(shelfwire, [{ itemId: "plum", sics: ["4021"] }]);
  await removeSic("4021");
  for (const sic of ["4021", "never there", "plum"]) {
    const outcomes: unknown = await removeSic(sic);
    const unknown = rowErrors(rowNotice("SIC_UNKNOWN", { code: sic }));
    t.deepEqual(outcomes, [{ itemId: null, sic, status: "ITEM_NOT_FOUND", ...unknown }]);
  }
});

test.serial("a removed code links no further label, and existing links are kept", async (t) => {
  const [before, after] = [labelFor("by code"), labelFor("too late")];
  await writeItems(shelfwire, [{ itemId: "quince", sics: ["4031"] }]);
  await writeLabels(shelfwire, [{ barcode: before, links: [{ linkedItemId: "4031" }] }]);
  await removeSic("4031");
  const [outcome] = await writeLabels(shelfwire, [{ barcode: after, links: [{ linkedItemId: "4031" }] }]);
  t.is(outcome?.status, "ITEM_NOT_FOUND");
  const [link] = (await readItem(shelfwire, "quince")).links;
  t.deepEqual([link?.barcode, link?.linkedItemId], [before, "4031"]);
});

test.serial("a removed code is available to other items and to its own item again", async (t) => {
  await writeItems(shelfwire, [{ itemId: "cherry", sics: ["4041", "4042"] }]);
  await removeSic("4041");
  t.is((await writeItems(shelfwire, [{ itemId: "fig", sics: ["4041"] }]))[0]?.status, "SUCCESS_NEW_ITEM");
  await removeSic("4042");
  t.is((await writeItems(shelfwire, [{ itemId: "cherry", sics: ["4042"] }]))[0]?.status, "SUCCESS");
  t.is((await removeSic("4041"))[0]?.itemId, "fig");
  t.deepEqual((await readItem(shelfwire, "cherry")).sics, ["4042"]);
});

test.serial(
  "if a code is set, removed and set for another item without waiting, the calls are applied in order",
  async (t) => {
    for (const round of ["a", "b", "c", "d", "e"]) {
      const sic = `4050 ${round}`;
      await shelfwire.client.patchItems([{ itemId: `first ${round}`, sics: [sic] }]);
      const removal = await numberOf(await shelfwire.call("DELETE", `/items/sic/${encodeURIComponent(sic)}`));
      const [outcome] = await writeItems(shelfwire, [{ itemId: `second ${round}`, sics: [sic] }]);
      t.is(outcome?.status, "SUCCESS_NEW_ITEM");
      t.is((await itemOutcomes(shelfwire, removal))[0]?.itemId, `first ${round}`);
      t.deepEqual((await readItem(shelfwire, `first ${round}`)).sics, []);
    }
  },
);

for (const sic of ["a/b", "100%", "%2F", "a?b#c", "links", "properties", " 7"]) {
  test.serial(`a path can remove the code "${sic}"`, async (t) => {
    await writeItems(shelfwire, [{ itemId: `of ${sic}`, sics: [sic] }]);
    t.is((await removeSic(sic))[0]?.itemId, `of ${sic}`);
  });
}

test("an impossible code is refused immediately", async (t) => {
  const answer = await shelfwire.call("DELETE", `/items/sic/${"4".repeat(65)}`);
  t.deepEqual(pointersOf(await refused(t, answer, 400)), ["/path/sic"]);
});

test.serial("a removal is PENDING until it is applied", async (t) => {
  const idle = await openShelfwire({ workers: [] });
  t.teardown(() => idle.close());
  const requestId = await numberOf(await idle.call("DELETE", "/items/sic/4001"));
  const pending = { itemId: null, sic: "4001", status: "PENDING", errors: [] };
  t.deepEqual(await bodyOf(await idle.call("GET", `/items-result/${requestId}`)), {
    status: "PENDING",
    overallStatus: "PENDING",
    itemErrorCount: 0,
    itemResults: [pending],
  });
});

test.serial("DELETE /items/{itemId}/properties/{key} removes only that property", async (t) => {
  const itemId = "offer";
  await writeItems(shelfwire, [{ itemId, price: "0.99", properties: { offer: "till Sunday", brand: "Orchard" } }]);
  t.deepEqual(await removeProperty(itemId, "offer"), [{ itemId, status: "SUCCESS", errors: [] }]);
  const { price, properties } = await readItem(shelfwire, itemId);
  t.deepEqual({ price, properties }, { price: "0.99", properties: { brand: "Orchard" } });
  const [listed] = (
    await bodyOf<{ itemId: string; properties: object }[]>(await shelfwire.call("GET", "/items"))
  ).filter((item) => item.itemId === itemId);
  t.deepEqual(listed?.properties, { brand: "Orchard" });
});

test.serial("a removed property can be set again, even to its former value", async (t) => {
  await writeItems(shelfwire, [{ itemId: "again", properties: { offer: "yes" } }]);
  await removeProperty("again", "offer");
  await writeItems(shelfwire, [{ itemId: "again", properties: { offer: "yes" } }]);
  t.deepEqual((await readItem(shelfwire, "again")).properties, { offer: "yes" });
});

for (const key of ["a/b~c", "unit.price", "$set", "__proto__", "constructor", "100%", "ключ", "links"]) {
  test.serial(`a path removes only the property "${key}"`, async (t) => {
    const properties = JSON.parse(`{${JSON.stringify(key)}: "1", "kept": "2"}`);
    await writeItems(shelfwire, [{ itemId: `with ${key}`, properties }]);
    t.is((await removeProperty(`with ${key}`, key))[0]?.status, "SUCCESS");
    t.deepEqual((await readItem(shelfwire, `with ${key}`)).properties, { kept: "2" });
  });
}

test.serial("removing an absent property returns SUCCESS, or ITEM_NOT_FOUND if the item is unknown", async (t) => {
  await writeItems(shelfwire, [{ itemId: "bare" }, { itemId: "gone" }]);
  await deleteItem(shelfwire, "gone");
  t.is((await removeProperty("bare", "offer"))[0]?.status, "SUCCESS");
  t.is((await removeProperty("gone", "offer"))[0]?.status, "ITEM_NOT_FOUND");
  t.is((await removeProperty("nobody", "offer"))[0]?.status, "ITEM_NOT_FOUND");
  await refused(t, await shelfwire.call("GET", "/items/nobody"), 404);
});

test.serial("update, remove and update, sent without waiting, leave the last values", async (t) => {
  for (let round = 0; round < 20; round += 1) {
    const itemId = `in turn ${round}`;
    await shelfwire.client.patchItems([{ itemId, properties: { offer: "old", brand: "Orchard" } }]);
    const removal = await numberOf(await shelfwire.call("DELETE", `/items/in%20turn%20${round}/properties/offer`));
    if (round % 2) await shelfwire.client.patchItems([{ itemId, properties: { offer: "new" } }]);
    await itemOutcomes(shelfwire, removal);
    await writeItems(shelfwire, [{ itemId, price: "1.99" }]);
    const expected = { ...(round % 2 && { offer: "new" }), brand: "Orchard" };
    t.deepEqual((await readItem(shelfwire, itemId)).properties, expected);
  }
});
