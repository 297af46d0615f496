import test from "ava";
import { labelFor } from "../../harness/glass.ts";
import { servedStack } from "../../harness/served-stack.ts";
import { bodyOf, deleteItem, type ItemBody, openStore, readItem, refused, writeItems } from "../calls.ts";

const shelfwire = servedStack({ workers: ["item", "link"] });

const S = ["itemId", "itemName", "price"];
const M = [...S, "itemGroup", "department", "presentation", "lastUpdated", "validFrom", "sics", "properties"];
const L = [...M, "links"];
const fieldsOf = (body: object) => Object.keys(body).sort();

/** Returns an item with every field. */
const whole = (itemId: string) => ({
  itemId,
  itemName: "Apple, red",
  price: "1.99",
  itemGroup: "fruit",
  department: "produce",
  presentation: "kg",
  sics: [`${itemId} 1`, `${itemId} 2`],
  properties: { brand: "Orchard", unit: "kg" },
  links: [{ barcode: labelFor(itemId), facings: "2" }],
});

for (const [projection, fields] of Object.entries({ S, M, L })) {
  test.serial(`projection ${projection} shows exactly its fields for one item and in a list`, async (t) => {
    await writeItems(shelfwire, [{ itemId: "projected" }]);
    const query = `?projection=${projection}`;
    const { value } = await bodyOf<{ value: object }>(await shelfwire.call("GET", `/items/projected${query}`));
    const [first] = await bodyOf<object[]>(await shelfwire.call("GET", `/items${query}`));
    t.deepEqual(fieldsOf(value), fields.toSorted());
    t.deepEqual(fieldsOf(first ?? {}), fields.toSorted());
  });
}

test.serial("without a projection all fields are shown, including in a list", async (t) => {
  await writeItems(shelfwire, [whole("whole")]);
  const { lastUpdated, ...item } = await readItem(shelfwire, "whole");
  const link = { barcode: labelFor("whole"), itemId: "whole", linkedItemId: "whole", displayPosition: 0, facings: "2" };
  t.deepEqual(item, { ...whole("whole"), validFrom: null, links: [link] });
  const list = await bodyOf<ItemBody[]>(await shelfwire.call("GET", "/items"));
  t.deepEqual(
    list.find(({ itemId }) => itemId === "whole"),
    { lastUpdated, ...item },
  );
});

test.serial("an unknown value is null, an empty list [], an empty map {}", async (t) => {
  await writeItems(shelfwire, [{ itemId: "bare" }]);
  const { lastUpdated, ...item } = await readItem(shelfwire, "bare");
  t.deepEqual(item, {
    itemId: "bare",
    itemName: null,
    price: null,
    itemGroup: null,
    department: null,
    presentation: null,
    validFrom: null,
    sics: [],
    properties: {},
    links: [],
  });
});

test.serial("filters shows the query in effect", async (t) => {
  await writeItems(shelfwire, [{ itemId: "echoed" }]);
  for (const projection of ["S", "M", "L"]) {
    const answer = await shelfwire.call("GET", `/items/echoed?projection=${projection}&verbose=true`);
    t.deepEqual((await bodyOf<{ filters: object }>(answer)).filters, { projection });
  }
});

test.serial("lastUpdated is a local time with its offset and zone", async (t) => {
  const zones = { "Europe/Zagreb": /\+0[12]:00/, "Asia/Kolkata": /\+05:30/, UTC: /\+00:00/ };
  for (const [timeZone, offset] of Object.entries(zones)) {
    const store = await openStore(shelfwire, timeZone.replace("/", "-"), { timeZone });
    await writeItems(store, [{ itemId: "apple", price: "1.99" }]);
    const { lastUpdated } = await readItem(store, "apple");
    const form = `^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d${offset.source}\\[${timeZone}\\]$`;
    t.regex(lastUpdated ?? "", new RegExp(form));
  }
});

test.serial("lastUpdated in a body is ignored", async (t) => {
  await writeItems(shelfwire, [{ itemId: "dated", lastUpdated: "2001-01-01T00:00:00+01:00[Europe/Zagreb]" }]);
  t.notRegex((await readItem(shelfwire, "dated")).lastUpdated ?? "", /^2001/);
});

test.serial("a response can be sent back and changes nothing", async (t) => {
  await writeItems(shelfwire, [whole("returned"), { itemId: "returned bare" }]);
  for (const itemId of ["returned", "returned bare"]) {
    const before = await readItem(shelfwire, itemId);
    t.deepEqual(await writeItems(shelfwire, [before]), [{ itemId, status: "SUCCESS", errors: [] }]);
    t.deepEqual({ ...(await readItem(shelfwire, itemId)), lastUpdated: null }, { ...before, lastUpdated: null });
  }
});

test.serial("a whole list can be sent back unchanged", async (t) => {
  await writeItems(shelfwire, [{ itemId: "returned in a list", price: "1.99", properties: { brand: "Orchard" } }]);
  const list = await bodyOf<ItemBody[]>(await shelfwire.call("GET", "/items?limit=1000"));
  const outcomes = await writeItems(shelfwire, list);
  t.deepEqual(
    outcomes,
    list.map(({ itemId }) => ({ itemId, status: "SUCCESS", errors: [] })),
  );
});

test("an unknown item returns 404", async (t) => {
  await refused(t, await shelfwire.call("GET", "/items/nothing"), 404);
});

test.serial("the path requires an item's ID, never a SIC", async (t) => {
  await writeItems(shelfwire, [{ itemId: "coded", sics: ["4001"] }]);
  await refused(t, await shelfwire.call("GET", "/items/4001"), 404);
});

for (const itemId of ["0012", "a/b", "a b", "100%", "%2F", "a?b#c", "ключ", "🍎", "__proto__", "constructor", "$set"]) {
  test(`an item may have the ID "${itemId}"`, async (t) => {
    await writeItems(shelfwire, [{ itemId, price: itemId }]);
    const { itemId: shown, price } = await readItem(shelfwire, itemId);
    t.deepEqual([shown, price], [itemId, itemId]);
  });
}

test("leading zeros, case and spaces distinguish IDs", async (t) => {
  const ids = ["7", "007", "Seven", "seven", "seven ", " seven"];
  await writeItems(
    shelfwire,
    ids.map((itemId) => ({ itemId, itemName: `of ${itemId}` })),
  );
  for (const itemId of ids) t.is((await readItem(shelfwire, itemId)).itemName, `of ${itemId}`);
});

test.serial("DELETE /items/{itemId}: SUCCESS, and the item is gone", async (t) => {
  await writeItems(shelfwire, [{ itemId: "deleted" }]);
  t.deepEqual(await deleteItem(shelfwire, "deleted"), [{ itemId: "deleted", status: "SUCCESS", errors: [] }]);
  await refused(t, await shelfwire.call("GET", "/items/deleted"), 404);
  const list = await bodyOf<ItemBody[]>(await shelfwire.call("GET", "/items?limit=1000"));
  t.false(list.some(({ itemId }) => itemId === "deleted"));
});

test.serial("deleting an item that never existed or is already deleted returns ITEM_NOT_FOUND", async (t) => {
  await writeItems(shelfwire, [{ itemId: "deleted twice" }]);
  await deleteItem(shelfwire, "deleted twice");
  t.is((await deleteItem(shelfwire, "deleted twice"))[0]?.status, "ITEM_NOT_FOUND");
  t.is((await deleteItem(shelfwire, "never there"))[0]?.status, "ITEM_NOT_FOUND");
});

test.serial("an item that is created again keeps nothing of the deleted item", async (t) => {
  await writeItems(shelfwire, [whole("made again")]);
  await deleteItem(shelfwire, "made again");
  const [outcome] = await writeItems(shelfwire, [{ itemId: "made again", price: "2.49" }]);
  t.is(outcome?.status, "SUCCESS_NEW_ITEM");
  const { itemName, price, sics, properties } = await readItem(shelfwire, "made again");
  t.deepEqual({ itemName, price, sics, properties }, { itemName: null, price: "2.49", sics: [], properties: {} });
});

test.serial("filters shows the query in effect, even if it is the default", async (t) => {
  await writeItems(shelfwire, [{ itemId: "echoed" }]);
  const { filters } = await bodyOf<{ filters: object }>(await shelfwire.call("GET", "/items/echoed"));
  t.deepEqual(filters, { projection: "L" });
});
