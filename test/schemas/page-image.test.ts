import test from "ava";
import { itemWithPages } from "../../schemas/page-image.ts";

const labels: [rule: string, items: string[], shown: string | undefined][] = [
  ["a label that shows no item shows no page images", [], undefined],
  ["a label shows the page images of its item", ["milk"], "milk"],
  ["so does one that shows the item at several positions", ["milk", "milk"], "milk"],
  ["a label of several items shows no page images", ["milk", "milk", "bread"], undefined],
];
for (const [rule, items, shown] of labels) test(rule, (t) => t.is(itemWithPages(items), shown));
