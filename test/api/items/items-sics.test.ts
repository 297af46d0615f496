import test from "ava";
import type { Outcome } from "../../../schemas/request.ts";
import { servedStack } from "../../harness/served-stack.ts";
import { deleteItem, readItem, writeItems } from "../calls.ts";

const shelfwire = servedStack({ workers: ["item"] });

const statusesOf = (outcomes: readonly Outcome[]) => outcomes.map(({ status }) => status);
const sicsOf = async (itemId: string) => (await readItem(shelfwire, itemId)).sics;

test.serial("a list of SICs replaces the item's codes, in the list's order, each code once", async (t) => {
  await writeItems(shelfwire, [{ itemId: "a", sics: ["a1", "a2"] }]);
  await writeItems(shelfwire, [{ itemId: "a", sics: ["a3", "a1", "a3"] }]);
  t.deepEqual(await sicsOf("a"), ["a3", "a1"]);
});

test.serial("SICs keep leading zeros, case and spaces", async (t) => {
  await writeItems(shelfwire, [{ itemId: "b", sics: ["007", "7", "B7", "b7", " b7"] }]);
  t.deepEqual(await sicsOf("b"), ["007", "7", "B7", "b7", " b7"]);
});

test.serial("a row with another item's SIC is PARTIAL: the SIC is omitted, and the price is stored", async (t) => {
  await writeItems(shelfwire, [
    { itemId: "c", sics: ["c1"] },
    { itemId: "d", price: "1.00" },
  ]);
  const outcomes = await writeItems(shelfwire, [
    { itemId: "d", price: "2.00", sics: ["d1", "c1"] },
    { itemId: "e", sics: ["c1"] },
    { itemId: "f", sics: ["f1"] },
    { itemId: "d", sics: ["c1"] },
  ]);
  t.deepEqual(statusesOf(outcomes), ["PARTIAL", "PARTIAL", "SUCCESS_NEW_ITEM", "ERROR"]);
  t.deepEqual(outcomes[0]?.errors, ['the SIC "c1" belongs to the item "c"']);
  t.is((await readItem(shelfwire, "d")).price, "2.00");
  t.deepEqual([await sicsOf("c"), await sicsOf("d"), await sicsOf("e")], [["c1"], ["d1"], []]);
});

test.serial("a SIC that an earlier row takes is unavailable to later rows", async (t) => {
  const outcomes = await writeItems(shelfwire, [
    { itemId: "g", sics: ["g1"] },
    { itemId: "h", sics: ["g1"] },
  ]);
  t.deepEqual(statusesOf(outcomes), ["SUCCESS_NEW_ITEM", "PARTIAL"]);
});

test.serial("a later row may take a SIC that an earlier row frees", async (t) => {
  await writeItems(shelfwire, [{ itemId: "i", sics: ["i1", "i2"] }]);
  const outcomes = await writeItems(shelfwire, [
    { itemId: "j", sics: ["i2"] },
    { itemId: "i", sics: ["i1"] },
    { itemId: "j", sics: ["i2"] },
  ]);
  t.deepEqual(statusesOf(outcomes), ["PARTIAL", "SUCCESS", "SUCCESS"]);
  t.deepEqual([await sicsOf("i"), await sicsOf("j")], [["i1"], ["i2"]]);
});

test.serial("two items can swap their SICs through a third code", async (t) => {
  await writeItems(shelfwire, [
    { itemId: "k", sics: ["k1"] },
    { itemId: "l", sics: ["l1"] },
  ]);
  const outcomes = await writeItems(shelfwire, [
    { itemId: "k", sics: ["passing"] },
    { itemId: "l", sics: ["k1"] },
    { itemId: "k", sics: ["l1"] },
  ]);
  t.deepEqual(statusesOf(outcomes), ["SUCCESS", "SUCCESS", "SUCCESS"]);
  t.deepEqual([await sicsOf("k"), await sicsOf("l")], [["l1"], ["k1"]]);
});

test.serial("deleting an item frees its SICs", async (t) => {
  await writeItems(shelfwire, [{ itemId: "m", sics: ["m1"] }]);
  await deleteItem(shelfwire, "m");
  t.deepEqual(statusesOf(await writeItems(shelfwire, [{ itemId: "n", sics: ["m1"] }])), ["SUCCESS_NEW_ITEM"]);
});

test.serial("a SIC may equal the ID of another item", async (t) => {
  const outcomes = await writeItems(shelfwire, [{ itemId: "o" }, { itemId: "p", sics: ["o"] }]);
  t.deepEqual(statusesOf(outcomes), ["SUCCESS_NEW_ITEM", "SUCCESS_NEW_ITEM"]);
});
