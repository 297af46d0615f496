import test from "ava";
import { pendingOutcomes, resultOf } from "../../../queues/requests/operations.ts";

const STORE = "t/demo/s/main";
const pending = { status: "PENDING", errors: [] };
const outcomes: [operation: string, row: object, outcomes: object[]][] = [
  ["patch-items", { itemId: "milk" }, [{ itemId: "milk" }]],
  ["remove-sics", { sic: "385" }, [{ sic: "385" }]],
  ["apply-scheduled", { until: 1 }, []],
  ["patch-labels", { barcode: "A" }, [{ barcode: "A" }]],
  ["patch-labels", { barcode: "A", links: [] }, [{ barcode: "A" }]],
  [
    "patch-labels",
    { barcode: "A", links: [{ itemId: "milk" }, { itemId: "x", linkedItemId: "385", displayPosition: 2 }, {}] },
    [
      { barcode: "A", itemId: "milk", displayPosition: 0 },
      { barcode: "A", itemId: "385", displayPosition: 2 },
      { barcode: "A", itemId: "", displayPosition: 0 },
    ],
  ],
  ["patch-links", { linkId: "A-1", facings: 3 }, [{ barcode: "A", displayPosition: 1 }]],
  ["unlink", { linkId: "A-1", barcode: "A", itemId: "milk" }, [{ barcode: "A", itemId: "milk" }]],
  ["store-links", { itemIds: ["milk"] }, [{ storeId: "main", itemId: "milk" }]],
  [
    "bulk-links",
    { storeIds: ["a", "b"], itemIds: ["milk", "bread"] },
    [
      { storeId: "a", itemId: "milk" },
      { storeId: "a", itemId: "bread" },
      { storeId: "b", itemId: "milk" },
      { storeId: "b", itemId: "bread" },
    ],
  ],
  ["refresh-labels", { barcode: "A" }, []],
  ["an operation of a later version", { itemId: "milk" }, []],
];
for (const [operation, row, expected] of outcomes)
  test(`before it is applied a row has the outcomes that name what it asks for: ${operation} ${JSON.stringify(row)}`, (t) =>
    t.deepEqual(
      pendingOutcomes({ store: STORE, operation, rows: JSON.stringify([row]) }),
      expected.map((named) => ({ ...named, ...pending })) as never,
    ));

test("an operation is reported by the endpoint of its rows, or by none", (t) => {
  t.is(resultOf("patch-items"), "items");
  t.is(resultOf("patch-labels"), "labels");
  t.is(resultOf("position-labels"), "none");
  t.is(resultOf("toString"), undefined);
});
