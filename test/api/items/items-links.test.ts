import test from "ava";
import { eventually } from "../../harness/eventually.ts";
import { labelFor } from "../../harness/glass.ts";
import { servedStack } from "../../harness/served-stack.ts";
import { deleteItem, readItem, readLabel, writeItems, writeLabels } from "../calls.ts";

const shelfwire = servedStack({ workers: ["item", "link"] });

test.serial("links in an item row link their labels in the same request", async (t) => {
  const [first, second] = [labelFor("first"), labelFor("second")];
  const outcomes = await writeItems(shelfwire, [
    { itemId: "apple", price: "1.99", links: [{ barcode: first, facings: "2" }, { barcode: second }] },
  ]);
  t.deepEqual(outcomes, [{ itemId: "apple", status: "SUCCESS_NEW_ITEM", errors: [] }]);
  const shown = { itemId: "apple", linkedItemId: "apple", displayPosition: 0 };
  const links = [
    { ...shown, barcode: first, facings: "2" },
    { ...shown, barcode: second, facings: null },
  ];
  t.deepEqual((await readLabel(shelfwire, first)).links, [links[0]]);
  t.deepEqual((await readLabel(shelfwire, second)).links, [links[1]]);
  t.deepEqual(
    (await readItem(shelfwire, "apple")).links,
    links.toSorted((a, b) => (a.barcode < b.barcode ? -1 : 1)),
  );
});

test.serial("a failed link makes its row PARTIAL and stops neither the item nor its other links", async (t) => {
  const good = labelFor("good");
  const bad = [
    { barcode: "no barcode" },
    { barcode: labelFor("of no type", "9999") },
    { barcode: labelFor("one position"), displayPosition: 1 },
  ];
  const [outcome] = await writeItems(shelfwire, [
    { itemId: "pear", price: "1.99", links: [...bad, { barcode: good }] },
  ]);
  t.is(outcome?.status, "PARTIAL");
  t.is(outcome?.errors.length, bad.length);
  const { price, links } = await readItem(shelfwire, "pear");
  t.is(price, "1.99");
  t.deepEqual(
    links.map(({ barcode }) => barcode),
    [good],
  );
});

test.serial("a code that belongs to another item does not hold back the links of its row", async (t) => {
  const barcode = labelFor("in part");
  await writeItems(shelfwire, [{ itemId: "owner", sics: ["385010"] }]);
  const [outcome] = await writeItems(shelfwire, [{ itemId: "plum", sics: ["385010"], links: [{ barcode }] }]);
  t.is(outcome?.status, "PARTIAL");
  t.is((await readLabel(shelfwire, barcode)).links[0]?.itemId, "plum");
});

test.serial("a row without links leaves the item's links alone", async (t) => {
  const barcode = labelFor("kept");
  await writeItems(shelfwire, [{ itemId: "quince", links: [{ barcode }] }]);
  await writeItems(shelfwire, [{ itemId: "quince", price: "1.99", links: [] }]);
  t.is((await readLabel(shelfwire, barcode)).links[0]?.itemId, "quince");
});

test.serial("deleting an item frees its labels, and creating it again restores its links", async (t) => {
  const barcode = labelFor("left");
  await writeItems(shelfwire, [{ itemId: "cherry", links: [{ barcode }] }]);
  await deleteItem(shelfwire, "cherry");
  const linked = async () => (await readLabel(shelfwire, barcode)).links.map(({ itemId }) => itemId);
  await eventually("the label is free", async () => (await linked()).length === 0);
  await writeItems(shelfwire, [{ itemId: "cherry" }]);
  await eventually("the link is back", async () => (await linked())[0] === "cherry");
  t.is((await readItem(shelfwire, "cherry")).links[0]?.barcode, barcode);
});

test.serial("an item that is created again does not return to a label that was relinked meanwhile", async (t) => {
  const barcode = labelFor("relinked meanwhile");
  await writeItems(shelfwire, [{ itemId: "fig", links: [{ barcode }] }, { itemId: "date" }]);
  await deleteItem(shelfwire, "fig");
  await writeLabels(shelfwire, [{ barcode, links: [{ itemId: "date" }] }]);
  await writeItems(shelfwire, [{ itemId: "fig" }]);
  t.deepEqual(
    (await readLabel(shelfwire, barcode)).links.map(({ itemId }) => itemId),
    ["date"],
  );
  t.deepEqual((await readItem(shelfwire, "fig")).links, []);
});
