import test from "ava";
import { itemOutcomes } from "../../harness/glass.ts";
import { servedStack } from "../../harness/served-stack.ts";
import { numberOf, pointersOf, readItem, refused, writeItems } from "../calls.ts";

const shelfwire = servedStack({ workers: ["item"] });

const remove = async (itemIds: readonly string[]) => {
  const outcomes = await itemOutcomes(shelfwire, await numberOf(await shelfwire.call("DELETE", "/items", { itemIds })));
  return outcomes.map(({ itemId, status }) => [itemId, status]);
};

test.serial("DELETE /items deletes the listed items in the order of the input", async (t) => {
  await writeItems(shelfwire, [{ itemId: "apple" }, { itemId: "pear", sics: ["38501"] }, { itemId: "plum" }]);
  t.deepEqual(await remove(["pear", "nobody", "apple"]), [
    ["pear", "SUCCESS"],
    ["nobody", "ITEM_NOT_FOUND"],
    ["apple", "SUCCESS"],
  ]);
  await refused(t, await shelfwire.call("GET", "/items/pear"), 404);
  t.is((await readItem(shelfwire, "plum")).itemId, "plum");
});

test.serial("another item may take the code of a deleted item", async (t) => {
  await writeItems(shelfwire, [{ itemId: "old", sics: ["38502"] }]);
  await remove(["old"]);
  t.is((await writeItems(shelfwire, [{ itemId: "new", sics: ["38502"] }]))[0]?.status, "SUCCESS_NEW_ITEM");
});

test.serial("an item that is listed twice is deleted by its first row and not found by the second", async (t) => {
  await writeItems(shelfwire, [{ itemId: "twice" }]);
  t.deepEqual(await remove(["twice", "twice"]), [
    ["twice", "SUCCESS"],
    ["twice", "ITEM_NOT_FOUND"],
  ]);
});

test.serial("without a list of IDs nothing is deleted", async (t) => {
  t.deepEqual(pointersOf(await refused(t, await shelfwire.call("DELETE", "/items", {}), 400)), ["/itemIds"]);
  t.deepEqual(pointersOf(await refused(t, await shelfwire.call("DELETE", "/items", { itemIds: [] }), 400)), [
    "/itemIds",
  ]);
  const wrong = { itemIds: ["plum", [7], ""] };
  t.deepEqual(pointersOf(await refused(t, await shelfwire.call("DELETE", "/items", wrong), 400)), [
    "/itemIds/1",
    "/itemIds/2",
  ]);
  t.is((await readItem(shelfwire, "plum")).itemId, "plum");
});
