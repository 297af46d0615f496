import test from "ava";
import type { LabelPatch } from "../../../../schemas/label.ts";
import { labelFor, labelOutcomes } from "../../../harness/glass.ts";
import { ownStack } from "../../../harness/own.ts";
import { addModel, numberOf, openStore, readLabel, refused, writeItems, writeLabels } from "../../calls.ts";

const shelfwire = ownStack({ workers: ["item", "link"] });
test.before(async () => {
  await addModel(shelfwire, { name: "Two", labelTypes: [1328], linkPositions: 2 });
  await writeItems(shelfwire, [{ itemId: "apple" }, { itemId: "pear" }]);
});

const statusesOf = async (rows: readonly LabelPatch[], store = shelfwire) =>
  (await writeLabels(store, rows)).map(({ status }) => status);

const valid = labelFor("valid");
const wrongDigit = valid.slice(0, -1) + ((Number(valid.at(-1)) + 1) % 10);

for (const [what, barcode] of Object.entries({
  "with a wrong check digit": wrongDigit,
  "that is too short": valid.slice(1),
  "that is too long": `${valid}0`,
  "in lower case": valid.toLowerCase(),
  "of an unknown label type": labelFor("valid", "9999"),
  "of another format": "4006381333931",
})) {
  test.serial(`a barcode ${what} returns UNKNOWN and creates no label, and the other rows proceed`, async (t) => {
    const good = labelFor(`next to one ${what}`);
    const outcomes = await writeLabels(shelfwire, [{ barcode }, { barcode: good }]);
    t.deepEqual(
      outcomes.map((outcome) => [outcome.barcode, outcome.status, outcome.errors.length]),
      [
        [barcode, "UNKNOWN", 1],
        [good, "SUCCESS", 0],
      ],
    );
    await refused(t, await shelfwire.call("GET", `/labels/${barcode}`), 404);
    t.is((await readLabel(shelfwire, good)).barcode, good);
  });
}

test.serial("a row has one result per link, and a row without links has one result", async (t) => {
  const links = [{ itemId: "apple" }, { itemId: "nothing", displayPosition: 1 }];
  const outcomes = await writeLabels(shelfwire, [
    { barcode: wrongDigit, links },
    { barcode: labelFor("linked twice"), modelName: "Two", links },
    { barcode: labelFor("not linked"), links: [] },
  ]);
  t.deepEqual(
    outcomes.map(({ barcode, itemId, displayPosition, status }) => [barcode, itemId, displayPosition, status]),
    [
      [wrongDigit, "apple", 0, "UNKNOWN"],
      [wrongDigit, "nothing", 1, "UNKNOWN"],
      [labelFor("linked twice"), "apple", 0, "SUCCESS"],
      [labelFor("linked twice"), "nothing", 1, "ITEM_NOT_FOUND"],
      [labelFor("not linked"), undefined, undefined, "SUCCESS"],
    ],
  );
});

test.serial("rows of one label apply in order", async (t) => {
  const barcode = labelFor("three rows");
  const rows = [
    { barcode, modelName: "Two", plLocation: "aisle 1" },
    { barcode, links: [{ itemId: "apple", displayPosition: 1 }] },
    { barcode, plLocation: "aisle 2", links: [{ itemId: "pear", displayPosition: 1 }] },
  ];
  t.deepEqual(await statusesOf(rows), ["SUCCESS", "SUCCESS", "SUCCESS"]);
  const { plLocation, links } = await readLabel(shelfwire, barcode);
  t.deepEqual([plLocation, links.map(({ itemId }) => itemId)], ["aisle 2", ["pear"]]);
});

test.serial("a new label has the model in its row, or else the first model of its type", async (t) => {
  const [named, unnamed] = [labelFor("named"), labelFor("unnamed")];
  await writeLabels(shelfwire, [{ barcode: named, modelName: "Two" }, { barcode: unnamed }]);
  t.is((await readLabel(shelfwire, named)).modelName, "Two");
  t.is((await readLabel(shelfwire, unnamed)).modelName, "Medium");
});

test.serial("an unknown or unsuitable model returns ERROR and creates no label and no link", async (t) => {
  for (const modelName of ["Unheard of", "Poster"]) {
    const barcode = labelFor(`as ${modelName}`);
    t.deepEqual(await statusesOf([{ barcode, modelName, links: [{ itemId: "apple" }] }]), ["ERROR"]);
    await refused(t, await shelfwire.call("GET", `/labels/${barcode}`), 404);
  }
});

test.serial("a model with too few positions returns ERROR, and the label keeps its own model", async (t) => {
  const barcode = labelFor("too small");
  await writeLabels(shelfwire, [{ barcode, modelName: "Two", links: [{ itemId: "apple", displayPosition: 1 }] }]);
  t.deepEqual(await statusesOf([{ barcode, modelName: "Medium" }]), ["ERROR"]);
  const { modelName, links } = await readLabel(shelfwire, barcode);
  t.deepEqual([modelName, links.length], ["Two", 1]);
});

test.serial("the check of positions counts links of earlier rows in the request", async (t) => {
  const barcode = labelFor("too small within a request");
  const rows = [{ barcode, modelName: "Two", links: [{ itemId: "apple", displayPosition: 1 }] }];
  t.deepEqual(await statusesOf([...rows, { barcode, modelName: "Medium" }]), ["SUCCESS", "ERROR"]);
  t.is((await readLabel(shelfwire, barcode)).links.length, 1);
});

test.serial("a label can change to a model with enough positions for its links", async (t) => {
  const barcode = labelFor("small enough");
  await writeLabels(shelfwire, [{ barcode, modelName: "Two", links: [{ itemId: "apple" }] }]);
  t.deepEqual(await statusesOf([{ barcode, modelName: "Medium" }]), ["SUCCESS"]);
  t.is((await readLabel(shelfwire, barcode)).modelName, "Medium");
});

test.serial("a displayPosition that the model lacks makes its link an ERROR", async (t) => {
  const barcode = labelFor("beyond");
  const links = [{ itemId: "apple", displayPosition: 1 }, { itemId: "pear" }];
  t.deepEqual(await statusesOf([{ barcode, links }]), ["ERROR", "SUCCESS"]);
});

test.serial("homeTrx must be a transceiver of the store's departments; any other is an ERROR", async (t) => {
  const [known, unknown] = [labelFor("T3"), labelFor("T9")];
  t.deepEqual(
    await statusesOf([
      { barcode: known, homeTrx: "T3" },
      { barcode: unknown, homeTrx: "T9", links: [{ itemId: "apple" }] },
    ]),
    ["SUCCESS", "ERROR"],
  );
  t.is((await readLabel(shelfwire, known)).homeTrx, "T3");
  await refused(t, await shelfwire.call("GET", `/labels/${unknown}`), 404);
});

test.serial("linkDepartment must be a department's ID or alias; any other is ERROR_NO_LINK_DEPARTMENTS", async (t) => {
  const rows = ["2", "warehouse", "attic"].map((linkDepartment) => ({
    barcode: labelFor(`in ${linkDepartment}`),
    linkDepartment,
    links: [{ itemId: "apple" }],
  }));
  t.deepEqual(await statusesOf(rows), ["SUCCESS", "SUCCESS", "ERROR_NO_LINK_DEPARTMENTS"]);
  t.is((await readLabel(shelfwire, labelFor("in warehouse"))).linkDepartment, "warehouse");
  await refused(t, await shelfwire.call("GET", `/labels/${labelFor("in attic")}`), 404);
});

test.serial("a label without a transceiver returns ERROR_NO_LINK_DEPARTMENTS", async (t) => {
  const store = await openStore(shelfwire, "deaf", { linkDepartments: [{ id: "1", transceivers: [] }] });
  const barcode = labelFor("unheard");
  t.deepEqual(await statusesOf([{ barcode }, { barcode, linkDepartment: "1" }], store), [
    "ERROR_NO_LINK_DEPARTMENTS",
    "ERROR_NO_LINK_DEPARTMENTS",
  ]);
});

test.serial("an ERROR row leaves an existing label unchanged", async (t) => {
  const barcode = labelFor("there");
  await writeLabels(shelfwire, [{ barcode, plLocation: "aisle 1", links: [{ itemId: "apple" }] }]);
  const before = await readLabel(shelfwire, barcode);
  const bad = { barcode, plLocation: "aisle 2", links: [{ itemId: "pear" }] };
  t.deepEqual(await statusesOf([{ ...bad, homeTrx: "T9" }]), ["ERROR"]);
  t.deepEqual(await statusesOf([{ ...bad, modelName: "Poster" }]), ["ERROR"]);
  t.deepEqual(await readLabel(shelfwire, barcode), before);
});

test.serial("stores do not share labels", async (t) => {
  const store = await openStore(shelfwire, "branch");
  const barcode = labelFor("of the branch");
  await writeLabels(store, [{ barcode }]);
  t.is((await readLabel(store, barcode)).barcode, barcode);
  await refused(t, await shelfwire.call("GET", `/labels/${barcode}`), 404);
});

test.serial("homeTrx is cleared by its own call; null and empty in a row keep it", async (t) => {
  const barcode = labelFor("leaves home");
  await writeLabels(shelfwire, [{ barcode, homeTrx: "T3" }]);
  await writeLabels(shelfwire, [
    { barcode, homeTrx: "" },
    { barcode, homeTrx: null },
  ]);
  t.is((await readLabel(shelfwire, barcode)).homeTrx, "T3");
  const clear = async (of: string) => {
    const requestId = await numberOf(await shelfwire.call("DELETE", `/labels/${of}/home-trx`));
    return (await labelOutcomes(shelfwire, requestId)).map(({ status }) => status);
  };
  t.deepEqual(await clear(barcode), ["SUCCESS"]);
  t.is((await readLabel(shelfwire, barcode)).homeTrx, null);
  t.deepEqual(await clear(labelFor("has no home")), ["UNKNOWN"]);
});

test.serial("device is cleared by its own call", async (t) => {
  const barcode = labelFor("has a tag");
  await writeLabels(shelfwire, [{ barcode, device: "00000218D6C53B19" }]);
  t.is((await readLabel(shelfwire, barcode)).device, "00000218D6C53B19");
  const requestId = await numberOf(await shelfwire.call("DELETE", `/labels/${barcode}/device`));
  t.deepEqual(
    (await labelOutcomes(shelfwire, requestId)).map(({ status }) => status),
    ["SUCCESS"],
  );
  t.is((await readLabel(shelfwire, barcode)).device, undefined);
});

test.serial("a label that is sent back unchanged keeps its item, even if its SIC has moved", async (t) => {
  const barcode = labelFor("sent back");
  await writeItems(shelfwire, [{ itemId: "old", sics: ["moving"] }, { itemId: "new" }]);
  await writeLabels(shelfwire, [{ barcode, links: [{ linkedItemId: "moving" }] }]);
  const read = await readLabel(shelfwire, barcode);
  await writeItems(shelfwire, [
    { itemId: "old", sics: ["staying"] },
    { itemId: "new", sics: ["moving"] },
  ]);
  t.deepEqual(await statusesOf([read as LabelPatch]), ["SUCCESS"]);
  t.is((await readLabel(shelfwire, barcode)).links[0]?.itemId, "old");
  t.deepEqual(await statusesOf([{ barcode, links: [{ linkedItemId: "moving" }] }]), ["SUCCESS"]);
  t.is((await readLabel(shelfwire, barcode)).links[0]?.itemId, "new");
});
