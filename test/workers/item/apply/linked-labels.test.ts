import test from "ava";
import type { ItemPatch } from "../../../../schemas/item.ts";
import { labelRowsOf } from "../../../../workers/item/apply/linked-labels.ts";

const rowsOf = (patches: ItemPatch[]) => labelRowsOf(patches.map((row, index) => ({ row, stamp: 100 + index })));

test("each link in an item's row creates or updates its label, with the row's stamp", (t) => {
  const rows = rowsOf([
    { itemId: "bread" },
    { itemId: "milk", links: [{ barcode: "A1", displayPosition: 2, facings: "3" }, { barcode: "A2" }] },
  ]);
  t.deepEqual(rows, [
    {
      index: 1,
      stamp: 101,
      row: {
        barcode: "A1",
        links: [{ barcode: "A1", displayPosition: 2, facings: "3", itemId: "milk", linkedItemId: "milk" }],
      },
    },
    { index: 1, stamp: 101, row: { barcode: "A2", links: [{ barcode: "A2", itemId: "milk", linkedItemId: "milk" }] } },
  ]);
});

const codes: [sent: string | null | undefined, used: string][] = [
  [undefined, "milk"],
  [null, "milk"],
  ["", "milk"],
  ["385001", "385001"],
];
for (const [linkedItemId, used] of codes) {
  test(`a link with linkedItemId ${JSON.stringify(linkedItemId)} uses the code "${used}"`, (t) => {
    const rows = rowsOf([{ itemId: "milk", links: [{ barcode: "A1", linkedItemId }] }]);
    t.is(rows[0]?.row.links?.[0]?.linkedItemId, used);
  });
}

test("a link belongs to its row's item, whatever item the link names", (t) => {
  const rows = rowsOf([{ itemId: "milk", links: [{ barcode: "A1", itemId: "bread" }] }]);
  t.like(rows[0]?.row.links?.[0], { itemId: "milk", linkedItemId: "milk" });
});

for (const links of [undefined, null, []]) {
  test(`a row whose links are ${JSON.stringify(links)} links nothing`, (t) => {
    t.deepEqual(rowsOf([{ itemId: "milk", links }]), []);
  });
}
