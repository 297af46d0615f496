import test from "ava";
import { itemOutcomes } from "../../harness/glass.ts";
import { servedStack } from "../../harness/served-stack.ts";
import { numberOf, readItem, writeItems } from "../calls.ts";

const shelfwire = servedStack({ workers: ["item"] });

/** Returns an item's values, without the fields that Shelfwire itself sets. */
async function valuesOf(itemId: string) {
  const { lastUpdated, validFrom, links, ...values } = await readItem(shelfwire, itemId);
  return values;
}

const whole = (itemId: string) => ({
  itemId,
  itemName: "Apple",
  price: "1.99",
  itemGroup: "fruit",
  department: "produce",
  presentation: "kg",
  sics: [`${itemId} 1`, `${itemId} 2`],
  properties: { brand: "Orchard", unit: "kg" },
});

const empty = { itemName: "", price: "", itemGroup: "", department: "", presentation: "", sics: [], properties: {} };
const none = Object.fromEntries(Object.keys(empty).map((name) => [name, null]));

for (const [what, fields] of Object.entries({ absent: {}, null: none, empty })) {
  test.serial(`a field that is ${what} keeps its value`, async (t) => {
    const itemId = `kept, ${what}`;
    await writeItems(shelfwire, [whole(itemId)]);
    t.is((await writeItems(shelfwire, [{ itemId, ...fields, links: null, validFrom: null }]))[0]?.status, "SUCCESS");
    t.deepEqual(await valuesOf(itemId), whole(itemId));
  });

  test.serial(`a new item whose fields are ${what} has none of these fields`, async (t) => {
    const itemId = `new, ${what}`;
    t.is((await writeItems(shelfwire, [{ itemId, ...fields }]))[0]?.status, "SUCCESS_NEW_ITEM");
    t.deepEqual(await valuesOf(itemId), { ...none, itemId, sics: [], properties: {} });
  });
}

test("a row returns SUCCESS_NEW_ITEM if it creates the item, and SUCCESS if the item exists", async (t) => {
  const rows = [{ itemId: "known or new" }];
  t.deepEqual(await writeItems(shelfwire, rows), [{ itemId: "known or new", status: "SUCCESS_NEW_ITEM", errors: [] }]);
  t.deepEqual(await writeItems(shelfwire, rows), [{ itemId: "known or new", status: "SUCCESS", errors: [] }]);
});

test("updating one field keeps the others", async (t) => {
  const { sics, ...fields } = whole("one field");
  await writeItems(shelfwire, [fields]);
  await writeItems(shelfwire, [{ itemId: "one field", price: "2.49" }]);
  t.deepEqual(await valuesOf("one field"), { ...fields, price: "2.49", sics: [] });
});

test("properties merge by key; an empty value keeps the stored one", async (t) => {
  const itemId = "merged";
  await writeItems(shelfwire, [{ itemId, properties: { brand: "Orchard", unit: "kg" } }]);
  await writeItems(shelfwire, [{ itemId, properties: { unit: "piece", origin: "Zagreb", brand: "" } }]);
  t.deepEqual((await readItem(shelfwire, itemId)).properties, { brand: "Orchard", unit: "piece", origin: "Zagreb" });
});

test("property names are plain data, whatever their text", async (t) => {
  const properties = {
    constructor: "1",
    prototype: "2",
    hasOwnProperty: "3",
    toString: "4",
    $set: "5",
    $where: "6",
    "unit.price": "7",
    ".": "8",
    "a/b~c": "9",
    "naziv šećera": "10",
    " ": "11",
    "0": "12",
  };
  await writeItems(shelfwire, [{ itemId: "odd names", properties }]);
  t.deepEqual((await readItem(shelfwire, "odd names")).properties, properties);
});

test("property names are case-sensitive", async (t) => {
  const properties = { brand: "small", Brand: "capital", BRAND: "large" };
  await writeItems(shelfwire, [{ itemId: "cases", properties }]);
  t.deepEqual((await readItem(shelfwire, "cases")).properties, properties);
});

for (const price of ["1.990", "01.99", "1,99 €", " 1.99 ", "-0", "1e3", "ask us", "99999999999999999999.99"]) {
  test(`the price "${price}" is returned exactly as it was sent`, async (t) => {
    await writeItems(shelfwire, [{ itemId: `price ${price}`, price }]);
    t.is((await readItem(shelfwire, `price ${price}`)).price, price);
  });
}

for (const itemName of ["  Apple  ", "Äpfel & „Birnen“", "two\nlines", "🍎🍏", "e\u0301", '<b>"\\</b>']) {
  test(`the name ${JSON.stringify(itemName)} is returned exactly as it was sent`, async (t) => {
    const itemId = `name ${encodeURIComponent(itemName)}`;
    await writeItems(shelfwire, [{ itemId, itemName }]);
    t.is((await readItem(shelfwire, itemId)).itemName, itemName);
  });
}

test("rows for one item in one request apply in order, each with its own result", async (t) => {
  const rows = [
    { itemId: "twice", price: "1.00", itemName: "first" },
    { itemId: "between", price: "5.00" },
    { itemId: "twice", price: "2.00", properties: { round: "second" } },
    { itemId: "twice", price: "3.00" },
  ];
  t.deepEqual(
    (await writeItems(shelfwire, rows)).map(({ itemId, status }) => [itemId, status]),
    [
      ["twice", "SUCCESS_NEW_ITEM"],
      ["between", "SUCCESS_NEW_ITEM"],
      ["twice", "SUCCESS"],
      ["twice", "SUCCESS"],
    ],
  );
  const { price, itemName, properties } = await readItem(shelfwire, "twice");
  t.deepEqual({ price, itemName, properties }, { price: "3.00", itemName: "first", properties: { round: "second" } });
});

test("results keep the order of the rows", async (t) => {
  const ids = Array.from({ length: 150 }, (_, index) => `row ${(index * 67) % 150}`);
  const outcomes = await writeItems(
    shelfwire,
    ids.map((itemId) => ({ itemId })),
  );
  t.deepEqual(
    outcomes.map(({ itemId }) => itemId),
    ids,
  );
});

test("PATCH /items/{itemId} adds or updates the item in the path", async (t) => {
  const patch = async (body: object) =>
    itemOutcomes(shelfwire, await numberOf(await shelfwire.call("PATCH", "/items/by%2Fpath", body)));
  t.is((await patch({ itemName: "Apple", price: "1.99" }))[0]?.status, "SUCCESS_NEW_ITEM");
  t.is((await patch({ itemId: "by/path", price: "2.49", itemName: null }))[0]?.status, "SUCCESS");
  const { itemName, price } = await readItem(shelfwire, "by/path");
  t.deepEqual({ itemName, price }, { itemName: "Apple", price: "2.49" });
});

test("an empty PATCH /items/{itemId} creates the item", async (t) => {
  const answer = await shelfwire.call("PATCH", "/items/empty", {});
  const [outcome] = await itemOutcomes(shelfwire, await numberOf(answer));
  t.deepEqual(outcome, { itemId: "empty", status: "SUCCESS_NEW_ITEM", errors: [] });
});

test("a validFrom in the past is applied immediately", async (t) => {
  for (const validFrom of ["2020-02-29 12:00:00", "1999-12-31 23:59:59"]) {
    await writeItems(shelfwire, [{ itemId: `since ${validFrom}`, price: "1.99", validFrom }]);
    const item = await readItem(shelfwire, `since ${validFrom}`);
    t.deepEqual([item.price, item.validFrom], ["1.99", null]);
  }
});

test("a past validFrom may be a local time that is skipped or occurs twice", async (t) => {
  const gap = { itemId: "in the gap", validFrom: "2020-03-29 02:30:00" };
  const twice = { itemId: "in the overlap", validFrom: "2020-10-25 02:30:00" };
  const outcomes = await writeItems(shelfwire, [gap, twice]);
  t.deepEqual(
    outcomes.map(({ status }) => status),
    ["SUCCESS_NEW_ITEM", "SUCCESS_NEW_ITEM"],
  );
});
