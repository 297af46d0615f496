import test from "ava";
import { itemWithPages } from "../../schemas/page-image.ts";

const labels: [rule: string, items: string[], shown: string | undefined][] = [
  ["a label without an item shows no page images", [], undefined],
  ["a label shows the page images of its item", ["milk"], "milk"],
  ["a label with the item at several positions shows its page images", ["milk", "milk"], "milk"],
  ["a label with several items shows no page images", ["milk", "milk", "bread"], undefined],
];
for (const [rule, items, shown] of labels) test(rule, (t) => t.is(itemWithPages(items), shown));
