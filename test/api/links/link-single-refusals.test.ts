import test from "ava";
import { labelFor } from "../../harness/glass.ts";
import { servedStack } from "../../harness/served-stack.ts";
import { openStore, pointersOf, readLabel, refused, writeItems, writeLabels } from "../calls.ts";

const shelfwire = servedStack({ workers: ["item", "link"] });
test.before(async () => {
  await writeItems(shelfwire, [{ itemId: "apple" }, { itemId: "pear" }]);
});

const link = (body: unknown) => shelfwire.call("POST", "/labels/link-single?timeout=0", body);

for (const [what, body, pointers] of [
  ["no barcode", { itemId: "apple" }, ["/barcode"]],
  ["no item", { barcode: labelFor("a") }, [""]],
  ["an empty item", { barcode: labelFor("a"), itemId: "", linkedItemId: null }, [""]],
  [
    "wrong types",
    { barcode: [1], itemId: "apple", displayPosition: "first", facings: [2], modelName: [], plLocation: {} },
    ["/barcode", "/displayPosition", "/facings", "/modelName", "/plLocation"],
  ],
  ["a position below 0", { barcode: labelFor("a"), itemId: "apple", displayPosition: -1 }, ["/displayPosition"]],
] as const) {
  test(`a body with ${what} returns 400 and lists all faults`, async (t) => {
    t.deepEqual(pointersOf(await refused(t, await link(body), 400)), [...pointers]);
  });
}

test("a body that is a list or not JSON returns 400", async (t) => {
  await refused(t, await link([{ barcode: labelFor("a"), itemId: "apple" }]), 400);
  await refused(t, await link("{"), 400);
});

test("an invalid barcode returns 400, including a wrong check digit", async (t) => {
  const valid = labelFor("a");
  const wrongDigit = valid.slice(0, -1) + ((Number(valid.at(-1)) + 1) % 10);
  for (const barcode of [wrongDigit, valid.slice(1), valid.toLowerCase(), "4006381333931"]) {
    t.deepEqual(pointersOf(await refused(t, await link({ barcode, itemId: "apple" }), 400)), ["/barcode"]);
  }
});

test.serial("an unknown item returns 404", async (t) => {
  await refused(t, await link({ barcode: labelFor("a"), itemId: "nothing" }), 404);
  await refused(t, await link({ barcode: labelFor("a"), itemId: "apple", linkedItemId: "nothing" }), 404);
});

for (const [what, type, fields] of [
  ["an unknown label type", "9999", {}],
  ["a model for other label types", "1328", { modelName: "Poster" }],
  ["an unknown model", "1328", { modelName: "Unheard of" }],
  ["a position that the model lacks", "1328", { displayPosition: 1 }],
  ["a transceiver outside every department", "1328", { homeTrx: "T9" }],
  ["an unknown department", "1328", { linkDepartment: "attic" }],
] as const) {
  test.serial(`${what} returns 409 and creates no label`, async (t) => {
    const barcode = labelFor(what, type);
    await refused(t, await link({ barcode, itemId: "apple", ...fields }), 409);
    await refused(t, await shelfwire.call("GET", `/labels/${barcode}`), 404);
  });
}

test.serial("a refused link leaves the label unchanged", async (t) => {
  const barcode = labelFor("linked");
  await writeLabels(shelfwire, [{ barcode, links: [{ itemId: "apple" }] }]);
  const before = await readLabel(shelfwire, barcode);
  await refused(t, await link({ barcode, itemId: "pear", plLocation: "aisle 3", modelName: "Poster" }), 409);
  await refused(t, await link({ barcode, itemId: "nothing", plLocation: "aisle 3" }), 404);
  t.deepEqual(await readLabel(shelfwire, barcode), before);
});

test.serial("an item of another store returns 404", async (t) => {
  const branch = await openStore(shelfwire, "branch");
  const body = { barcode: labelFor("of the branch"), itemId: "apple" };
  await refused(t, await branch.call("POST", "/labels/link-single?timeout=0", body), 404);
});
