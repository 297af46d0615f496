import test from "ava";
import { hardItems, hardReasons } from "../../../domain/items/hard-items.ts";
import { items } from "../../scripts/demo/items.ts";

const bare = (itemId: string) => ({ itemId });

test("hard items are first real items without duplicates, then items with stress names and extreme prices, then an item without any values", (t) => {
  const two = [
    { itemId: "1", itemName: "Pear", price: "2" },
    { itemId: "2", itemName: "A much longer name", price: "1", properties: { a: "1" } },
  ];
  const hard = hardItems<(typeof two)[number] | { itemId: string }>(two, bare);
  t.deepEqual(
    hard.map(({ item, why }) => `${item.itemId} ${why}`),
    [
      ...["2 longestName", "1 highestPrice", "1 longWord", "1 rareLetters", "1 otherAlphabets", "1 manyWords"],
      ...["1 oneLetter", "1 lowPrice", "1 roundPrice", "1 highPrice", "1 nothing"],
    ],
  );
  t.deepEqual(hard.at(-1)?.item, { itemId: "1" });
  t.deepEqual(hardItems([], bare), []);
});

test("a list's hard items are its extremes, each with its reason", (t) => {
  const [first] = items;
  const hard = hardItems(items, () => ({ ...(first as (typeof items)[number]), properties: [] }));
  const lengths = items.map(({ itemName = "" }) => itemName.length);
  const nameOf = (why: string) => hard.find((one) => one.why === why)?.item.itemName ?? "";
  t.is(nameOf("shortestName").length, Math.min(...lengths));
  t.is(nameOf("longestName").length, Math.max(...lengths));
  t.true(hard.every(({ why }) => why !== undefined && hardReasons.includes(why)));
  t.is(new Set(hard.map(({ why }) => why)).size, hard.length);
});
