import test from "ava";
import { ownStack } from "../../../harness/own.ts";
import { bodyOf, pointersOf, refused } from "../../calls.ts";
import { manage } from "../calls.ts";

const shelfwire = ownStack({ workers: [] });

const area = { x: 5, width: 280, font: "bold", color: "black" } as const;
const canvas = {
  name: "preview",
  width: 296,
  height: 128,
  background: "white",
  elements: [
    { kind: "text", ...area, y: 5, height: 30, size: 20, text: "${item.itemName}" },
    { kind: "price", ...area, y: 40, height: 60, size: 50, value: "${item.price}" },
  ],
};
const item = { itemId: "7", itemName: "Kruh", price: "1.99" };

interface Matrix {
  faults: number;
  previews: { itemId: string; itemIndex: number; labelType: number; warnings: string[] }[];
}
const previewMany = (change: object) =>
  manage(shelfwire, "POST", "/designs/previews", { canvas, storeId: "main", ...change });

test("previews of several items on several label types equal the previews of single calls, with warnings first", async (t) => {
  const free = { itemId: "8", itemName: "Zrak" };
  const { faults, previews } = await bodyOf<Matrix>(
    await previewMany({ items: [item, free], labelTypes: [1328, 1627] }),
  );
  t.deepEqual(
    previews.map(({ itemId, itemIndex, labelType, warnings }) => [itemId, itemIndex, labelType, warnings.length > 0]),
    [
      ["8", 1, 1328, true],
      ["8", 1, 1627, true],
      ["7", 0, 1328, false],
      ["7", 0, 1627, false],
    ],
  );
  t.is(faults, 0);
  const alone = { canvas, storeId: "main", item, labelType: 1328 };
  const single = await bodyOf<object>(await manage(shelfwire, "POST", "/designs/preview", alone));
  t.deepEqual(previews[2], { itemId: "7", itemIndex: 0, labelType: 1328, ...single } as (typeof previews)[number]);
});

test("a refused order of previews names the place of the unknown item or label type, and too many previews are refused before any is drawn", async (t) => {
  const pointersFor = async (change: object) => pointersOf(await refused(t, await previewMany(change), 400));
  t.deepEqual(await pointersFor({ items: [item], labelTypes: [1328, 9999] }), ["/labelTypes/1"]);
  t.deepEqual(await pointersFor({ itemIds: ["none"], labelTypes: [1328] }), ["/itemIds/0"]);
  t.deepEqual(await pointersFor({ labelTypes: [1328] }), [""]);
  const many = Array.from({ length: 51 }, (_, index) => ({ ...item, itemId: `many-${index}` }));
  t.deepEqual(await pointersFor({ items: many, labelTypes: [1328, 1627] }), ["/labelTypes"]);
});
