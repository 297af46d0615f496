import test from "ava";
import { MAX_ITEM_BYTES, tooLarge } from "../../../domain/items/item-size.ts";
import { propertiesOf } from "../../../schemas/item.ts";
import { rowErrors, rowNotice } from "../../../schemas/row-notice.ts";
import { numberOf, stampOf } from "../../../schemas/stamp.ts";
import { createWorld } from "./world.ts";

const statusesOf = (outcomes: readonly { status: string }[]) => outcomes.map(({ status }) => status);

test("a row that creates an item returns SUCCESS_NEW_ITEM and a row that changes it returns SUCCESS, with one result per row, in order", async (t) => {
  const { patch, itemOf } = createWorld();
  const outcomes = await patch(1, { itemId: "milk", price: "1" }, { itemId: "bread" }, { itemId: "milk", price: "2" });
  t.deepEqual(outcomes, [
    { itemId: "milk", status: "SUCCESS_NEW_ITEM", errors: [] },
    { itemId: "bread", status: "SUCCESS_NEW_ITEM", errors: [] },
    { itemId: "milk", status: "SUCCESS", errors: [] },
  ]);
  t.is(itemOf("milk")?.price, "2");
});

test("a row that is applied again keeps its result", async (t) => {
  const { patch } = createWorld();
  const once = await patch(1, { itemId: "milk", price: "1" }, { itemId: "milk", price: "2" });
  t.deepEqual(await patch(1, { itemId: "milk", price: "1" }, { itemId: "milk", price: "2" }), once);
});

test("requests applied out of order leave the latest value", async (t) => {
  const { patch, itemOf } = createWorld();
  await patch(3, { itemId: "milk", price: "3" });
  await patch(2, { itemId: "milk", price: "2", itemName: "Milk" });
  t.like(itemOf("milk"), { price: "3", itemName: "Milk" });
});

test("an unchanged value takes a new stamp only while a request with a smaller number is pending", async (t) => {
  for (const [settled, number] of [
    [3, 2],
    [2, 4],
  ] as const) {
    const { patch, itemOf } = createWorld({ settledAtLeast: async () => settled });
    await patch(2, { itemId: "milk", price: "1" });
    await patch(4, { itemId: "milk", price: "1" });
    t.is(numberOf(itemOf("milk")?.stamps.price ?? 0), number);
  }
});

test("another item's code does not block the price: the row returns PARTIAL and names that item", async (t) => {
  const { patch, itemOf } = createWorld({ assignSics: async () => new Map([[0, new Map([["1", "tea"]])]]) });
  const outcomes = await patch(1, { itemId: "milk", price: "1", sics: ["1", "2"] }, { itemId: "bread", price: "2" });
  const taken = rowErrors(rowNotice("SIC_TAKEN", { code: "1", item: "tea" }));
  t.deepEqual(outcomes[0], { itemId: "milk", status: "PARTIAL", ...taken });
  t.like(itemOf("milk"), { price: "1", sics: ["2"] });
  t.is(outcomes[1]?.status, "SUCCESS_NEW_ITEM");
  await patch(2, { itemId: "milk", price: "3", sics: ["1"] });
  t.like(itemOf("milk"), { price: "3", sics: ["2"] }, "the row has no free code, so the item keeps its codes");
  t.is((await patch(3, { itemId: "milk", sics: ["1"] }))[0]?.status, "ERROR", "nothing took effect");
});

test("codes that an item no longer lists are released, and other codes are kept", async (t) => {
  const { patch, remove, released } = createWorld();
  await patch(1, { itemId: "milk", sics: ["1", "2"] });
  await patch(2, { itemId: "milk", sics: ["2", "3"] });
  await patch(3, { itemId: "milk", price: "1" });
  t.deepEqual(released, ["1 of milk"]);
  await remove(4, "milk");
  t.deepEqual(released, ["1 of milk", "2 of milk", "3 of milk"]);
});

test("a row's links are made with the row's stamp, and their errors are listed with the row's errors", async (t) => {
  const { patch } = createWorld({
    async linkLabels(_store, rows) {
      t.deepEqual(
        rows.map(({ stamp }) => stamp),
        [stampOf(7, 1), stampOf(7, 1)],
      );
      return rows.map(({ row: { barcode } }) => [
        {
          barcode,
          status: "UNKNOWN",
          ...rowErrors(rowNotice("BARCODE_INVALID", { barcode, reason: "the barcode is too short" })),
        },
      ]);
    },
  });
  const links = [{ barcode: "X" }, { barcode: "Y" }];
  const outcomes = await patch(7, { itemId: "bread" }, { itemId: "milk", links });
  t.deepEqual(outcomes[0]?.errors, []);
  t.deepEqual(outcomes[1], {
    itemId: "milk",
    status: "PARTIAL",
    ...rowErrors(
      ...["X", "Y"].map((barcode) => rowNotice("BARCODE_INVALID", { barcode, reason: "the barcode is too short" })),
    ),
  });
});

test("deleting an existing item returns SUCCESS, and deleting a missing or deleted item returns ITEM_NOT_FOUND", async (t) => {
  const { patch, remove, itemOf } = createWorld();
  await patch(1, { itemId: "milk", price: "1" });
  t.deepEqual(statusesOf(await remove(2, "bread", "milk")), ["ITEM_NOT_FOUND", "SUCCESS"]);
  t.like(itemOf("milk"), { deleted: true, price: undefined });
  t.deepEqual(statusesOf(await remove(3, "milk")), ["ITEM_NOT_FOUND"]);
});

test("a deletion that is applied again keeps its result", async (t) => {
  const { patch, remove } = createWorld();
  await patch(1, { itemId: "milk" });
  const once = await remove(2, "milk", "bread");
  t.deepEqual(await remove(2, "milk", "bread"), once);
});

test("a code is removed from the item that lists it, and an unlisted code returns ITEM_NOT_FOUND", async (t) => {
  const { patch, removeSics, itemOf } = createWorld();
  await patch(1, { itemId: "milk", sics: ["1", "2"] });
  t.deepEqual(await removeSics(2, "1", "3"), [
    { itemId: "milk", sic: "1", status: "SUCCESS", errors: [] },
    { sic: "3", status: "ITEM_NOT_FOUND", ...rowErrors(rowNotice("SIC_UNKNOWN", { code: "3" })) },
  ]);
  t.deepEqual(itemOf("milk")?.sics, ["2"]);
  t.is((await removeSics(3, "1"))[0]?.status, "ITEM_NOT_FOUND", "the code was removed before");
});

test("one request can remove two codes of an item", async (t) => {
  const { patch, removeSics, itemOf } = createWorld();
  await patch(1, { itemId: "milk", sics: ["1", "2", "3"] });
  t.deepEqual(statusesOf(await removeSics(2, "1", "1", "3")), ["SUCCESS", "ITEM_NOT_FOUND", "SUCCESS"]);
  t.deepEqual(itemOf("milk")?.sics, ["2"]);
});

test("a removal that is applied again keeps its result", async (t) => {
  const { patch, removeSics, removeProperties } = createWorld();
  await patch(1, { itemId: "milk", sics: ["1"], properties: { brand: "Dukat" } });
  const once = await removeSics(2, "1");
  t.deepEqual(await removeSics(2, "1"), once);
  const row = { itemId: "milk", property: "brand" };
  const removed = await removeProperties(3, row);
  t.deepEqual(await removeProperties(3, row), removed);
});

test("readers of the item no longer see a removed property, and still see the others", async (t) => {
  const { patch, removeProperties, itemOf } = createWorld();
  await patch(1, { itemId: "milk", properties: { brand: "Dukat", unit: "1 l" } });
  const outcomes = await removeProperties(2, { itemId: "milk", property: "brand" });
  t.deepEqual(outcomes, [{ itemId: "milk", status: "SUCCESS", errors: [] }]);
  const item = itemOf("milk");
  t.deepEqual(item && propertiesOf(item).map(({ key }) => key), ["unit"]);
});

test("removing a missing property returns SUCCESS, and removing one from a missing item returns ITEM_NOT_FOUND", async (t) => {
  const { patch, remove, removeProperties } = createWorld();
  await patch(1, { itemId: "milk" }, { itemId: "bread" });
  await remove(2, "bread");
  const rows = ["milk", "bread", "nobody"].map((itemId) => ({ itemId, property: "brand" }));
  t.deepEqual(statusesOf(await removeProperties(3, ...rows)), ["SUCCESS", "ITEM_NOT_FOUND", "ITEM_NOT_FOUND"]);
});

test("an item created again after its deletion starts without its former fields", async (t) => {
  const { patch, remove, itemOf } = createWorld();
  await patch(1, { itemId: "milk", price: "1" });
  await remove(2, "milk");
  t.deepEqual(statusesOf(await patch(3, { itemId: "milk", itemName: "Milk" })), ["SUCCESS_NEW_ITEM"]);
  t.like(itemOf("milk"), { itemName: "Milk", price: undefined, deleted: undefined });
});

/** Rows that each add properties of this many bytes to an item. */
const growing = (itemId: string, rows: number, bytes: number) =>
  Array.from({ length: rows }, (_, row) => ({ itemId, properties: { [`p${row}`]: "x".repeat(bytes) } }));

test("an item never exceeds its limit, even by many small rows: the row that would exceed it returns ERROR with both sizes", async (t) => {
  const { patch, itemOf } = createWorld();
  const rows = growing("milk", 100, 4_000);
  const outcomes = await patch(1, ...rows, { itemId: "bread", price: "1" });
  const refused = outcomes.filter(({ status }) => status === "ERROR");
  t.true(refused.length > 20 && refused.length < 50);
  t.regex(refused[0]?.errors[0] ?? "", /^the item would be \d+ bytes, more than the maximum of 262144: /);
  t.is(outcomes.at(-1)?.status, "SUCCESS_NEW_ITEM");
  t.true(Buffer.byteLength(JSON.stringify(itemOf("milk"))) <= MAX_ITEM_BYTES);
  t.deepEqual(statusesOf(await patch(2, { itemId: "milk", price: "2" })), ["SUCCESS"]);
});

test("a row that makes a new item too large creates it without properties, and makes its links", async (t) => {
  const linked: unknown[] = [];
  const { patch, itemOf } = createWorld({
    async linkLabels(_store, rows) {
      linked.push(...rows.map(({ row }) => row.barcode));
      return rows.map(() => []);
    },
  });
  const properties = Object.fromEntries(growing("milk", 100, 4_000).flatMap((row) => Object.entries(row.properties)));
  const links = [{ barcode: "D4628NOZ6TJA13280" }];
  t.deepEqual(statusesOf(await patch(1, { itemId: "milk", price: "1", properties, links })), ["PARTIAL"]);
  t.like(itemOf("milk"), { price: "1", properties: [] });
  t.deepEqual(linked, ["D4628NOZ6TJA13280"]);
});

test("an item stored above the limit may become smaller", async (t) => {
  const large = { itemId: "milk", sics: [], stamps: {}, created: 1 };
  const property = (value: string) => ({ key: "p", value, stamp: 1 });
  const before = { ...large, properties: [property("x".repeat(2 * MAX_ITEM_BYTES))] };
  t.is(tooLarge({ ...large, properties: [property("x".repeat(MAX_ITEM_BYTES + 1))] }, before), undefined);
  t.is(tooLarge(before, undefined)?.code, "ITEM_TOO_LARGE");
});
