import test from "ava";
import { labelFor } from "../../harness/glass.ts";
import { ownStack } from "../../harness/own.ts";
import { addModel, readItem, readLabel, writeItems, writeLabels } from "../calls.ts";

const shelfwire = ownStack({ workers: ["item", "link"] });
test.before(async () => {
  await addModel(shelfwire, { name: "Twelve", labelTypes: [1328], linkPositions: 12 });
  await writeItems(shelfwire, [{ itemId: "apple", sics: ["4001", "pear"] }, { itemId: "pear" }, { itemId: "plum" }]);
});

const linksOf = async (barcode: string) =>
  (await readLabel(shelfwire, barcode)).links.map(({ displayPosition, itemId }) => [displayPosition, itemId]);

test.serial("links are listed by position", async (t) => {
  const barcode = labelFor("ordered");
  const links = [10, 2, 0, 11].map((displayPosition) => ({ itemId: "apple", displayPosition }));
  await writeLabels(shelfwire, [{ barcode, modelName: "Twelve", links }]);
  t.deepEqual(await linksOf(barcode), [
    [0, "apple"],
    [2, "apple"],
    [10, "apple"],
    [11, "apple"],
  ]);
});

test.serial("displayPosition defaults to 0 if it is absent or null", async (t) => {
  const barcode = labelFor("position 0");
  await writeLabels(shelfwire, [{ barcode, links: [{ itemId: "apple" }] }]);
  await writeLabels(shelfwire, [{ barcode, links: [{ itemId: "pear", displayPosition: null }] }]);
  t.deepEqual(await linksOf(barcode), [[0, "pear"]]);
});

test.serial("a link sets only its own position", async (t) => {
  const barcode = labelFor("upserted");
  const first = [
    { itemId: "apple", displayPosition: 0 },
    { itemId: "pear", displayPosition: 1 },
  ];
  await writeLabels(shelfwire, [{ barcode, modelName: "Twelve", links: first }]);
  await writeLabels(shelfwire, [{ barcode, links: [{ itemId: "plum", displayPosition: 1 }] }]);
  t.deepEqual(await linksOf(barcode), [
    [0, "apple"],
    [1, "plum"],
  ]);
});

test.serial("a relinked label leaves its previous item", async (t) => {
  const barcode = labelFor("relinked");
  await writeItems(shelfwire, [{ itemId: "former" }, { itemId: "present" }]);
  await writeLabels(shelfwire, [{ barcode, links: [{ itemId: "former" }] }]);
  await writeLabels(shelfwire, [{ barcode, links: [{ itemId: "present" }] }]);
  t.deepEqual(await linksOf(barcode), [[0, "present"]]);
  t.deepEqual((await readItem(shelfwire, "former")).links, []);
  t.deepEqual(
    (await readItem(shelfwire, "present")).links.map((link) => link.barcode),
    [barcode],
  );
});

test.serial("an item may be linked to many labels, and to one label more than once", async (t) => {
  const [one, other] = [labelFor("one"), labelFor("other")].sort() as [string, string];
  await writeItems(shelfwire, [{ itemId: "everywhere" }]);
  await writeLabels(shelfwire, [
    {
      barcode: one,
      modelName: "Twelve",
      links: [{ itemId: "everywhere" }, { itemId: "everywhere", displayPosition: 1 }],
    },
    { barcode: other, links: [{ itemId: "everywhere" }] },
  ]);
  t.deepEqual(
    (await readItem(shelfwire, "everywhere")).links.map(({ barcode, displayPosition }) => [barcode, displayPosition]),
    [
      [one, 0],
      [one, 1],
      [other, 0],
    ],
  );
});

test.serial("linkedItemId may be a SIC: the response shows the item and the code that was used", async (t) => {
  const barcode = labelFor("by SIC");
  const outcomes = await writeLabels(shelfwire, [{ barcode, links: [{ linkedItemId: "4001" }] }]);
  t.deepEqual(outcomes, [{ barcode, itemId: "apple", displayPosition: 0, status: "SUCCESS", errors: [] }]);
  const link = { barcode, itemId: "apple", linkedItemId: "4001", displayPosition: 0, facings: null };
  t.deepEqual((await readLabel(shelfwire, barcode)).links, [link]);
});

test.serial("linkedItemId wins over itemId", async (t) => {
  const barcode = labelFor("both");
  await writeLabels(shelfwire, [{ barcode, links: [{ itemId: "pear", linkedItemId: "4001" }] }]);
  t.deepEqual(await linksOf(barcode), [[0, "apple"]]);
});

test.serial("a code that is one item's ID and another's SIC means the item with that ID", async (t) => {
  const barcode = labelFor("id first");
  await writeLabels(shelfwire, [{ barcode, links: [{ linkedItemId: "pear" }] }]);
  t.deepEqual(await linksOf(barcode), [[0, "pear"]]);
});

test.serial("an unknown linkedItemId returns ITEM_NOT_FOUND even if itemId exists", async (t) => {
  const barcode = labelFor("bad code");
  const [outcome] = await writeLabels(shelfwire, [{ barcode, links: [{ itemId: "pear", linkedItemId: "4002" }] }]);
  t.is(outcome?.status, "ITEM_NOT_FOUND");
  t.deepEqual(await linksOf(barcode), []);
});

test.serial("a link to an unknown item returns ITEM_NOT_FOUND while the other links proceed", async (t) => {
  const [first, second] = [labelFor("of nothing"), labelFor("of something")];
  const outcomes = await writeLabels(shelfwire, [
    { barcode: first, links: [{ itemId: "nothing" }] },
    { barcode: second, links: [{ itemId: "apple" }] },
  ]);
  t.deepEqual(
    outcomes.map(({ barcode, status }) => [barcode, status]),
    [
      [first, "ITEM_NOT_FOUND"],
      [second, "SUCCESS"],
    ],
  );
  t.deepEqual([await linksOf(first), await linksOf(second)], [[], [[0, "apple"]]]);
});

test.serial(
  "one bad link stops neither the label's fields nor its other links; results keep their order",
  async (t) => {
    const barcode = labelFor("mixed");
    const links = [
      { itemId: "apple", displayPosition: 2 },
      { itemId: "nothing", displayPosition: 1 },
      { itemId: "plum", displayPosition: 12 },
      { itemId: "pear", displayPosition: 3, barcode: labelFor("another") },
      { itemId: "plum", displayPosition: 0, barcode },
    ];
    const outcomes = await writeLabels(shelfwire, [{ barcode, modelName: "Twelve", plLocation: "aisle 3", links }]);
    t.deepEqual(
      outcomes.map(({ itemId, displayPosition, status }) => [itemId, displayPosition, status]),
      [
        ["apple", 2, "SUCCESS"],
        ["nothing", 1, "ITEM_NOT_FOUND"],
        ["plum", 12, "ERROR"],
        ["pear", 3, "ERROR"],
        ["plum", 0, "SUCCESS"],
      ],
    );
    t.true(outcomes.every(({ status, errors }) => errors.length === (status === "SUCCESS" ? 0 : 1)));
    t.is((await readLabel(shelfwire, barcode)).plLocation, "aisle 3");
    t.deepEqual(await linksOf(barcode), [
      [0, "plum"],
      [2, "apple"],
    ]);
  },
);

test.serial("facings belong to an item and do not pass to the next item at its position", async (t) => {
  const barcode = labelFor("facings");
  const facings = async () => (await readLabel(shelfwire, barcode)).links[0]?.facings;
  await writeLabels(shelfwire, [{ barcode, links: [{ itemId: "apple", facings: "02" }] }]);
  t.is(await facings(), "02");
  await writeLabels(shelfwire, [{ barcode, links: [{ itemId: "apple", facings: "" }] }]);
  t.is(await facings(), "02");
  await writeLabels(shelfwire, [{ barcode, links: [{ itemId: "pear" }] }]);
  t.is(await facings(), null);
});

test.serial("an item's links to one label are listed by position", async (t) => {
  const links = [10, 2, 11].map((displayPosition) => ({ itemId: "wide", displayPosition }));
  await writeItems(shelfwire, [{ itemId: "wide" }]);
  await writeLabels(shelfwire, [{ barcode: labelFor("wide"), modelName: "Twelve", links }]);
  const shown = (await readItem(shelfwire, "wide")).links;
  t.deepEqual(
    shown.map(({ displayPosition }) => displayPosition),
    [2, 10, 11],
  );
});
