import test from "ava";
import { pendingOutcomes, resultOf } from "../../../queues/requests/operations.ts";
import { queueNames, rowOf } from "../../../queues/topology.ts";
import { RequestChunk } from "../../../schemas/jobs.ts";

const STORE = "t/demo/s/main";
const pending = { status: "PENDING", errors: [] };
const outcomes: [operation: string, row: object, outcomes: object[]][] = [
  ["patch-items", { itemId: "milk" }, [{ itemId: "milk" }]],
  ...["delete-items", "remove-properties", "cancel-scheduled", "set-pages", "draw-pages", "remove-pages"].map(
    (operation): [string, object, object[]] => [operation, { itemId: "milk" }, [{ itemId: "milk" }]],
  ),
  ["patch-items", {}, [{ itemId: "" }]],
  ["patch-labels", {}, [{ barcode: "" }]],
  ["remove-sics", { sic: "385" }, [{ sic: "385" }]],
  ["remove-sics", {}, [{ sic: "" }]],
  ["bulk-links", {}, []],
  ["position-labels", { barcode: "A" }, []],
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
  ["an operation from a later version", { itemId: "milk" }, []],
];
for (const [operation, row, expected] of outcomes)
  test(`before it is applied, a row has outcomes that name its targets: ${operation} ${JSON.stringify(row)}`, (t) =>
    t.deepEqual(
      pendingOutcomes({ store: STORE, operation, rows: JSON.stringify([row]) }),
      expected.map((named) => ({ ...named, ...pending })),
    ));

test("an operation's result is returned by the endpoint for its rows, or by none", (t) => {
  const operations = queueNames.flatMap((queue) =>
    Object.entries(rowOf(queue).jobs).flatMap(([job, data]) => (data === RequestChunk ? [job] : [])),
  );
  const reported = Map.groupBy(operations, (operation) => resultOf(operation));
  t.deepEqual(reported.get("labels")?.toSorted(), [
    "bulk-links",
    "patch-labels",
    "patch-links",
    "store-links",
    "unlink",
  ]);
  t.deepEqual(reported.get("none")?.toSorted(), ["position-labels", "refresh-labels"]);
  t.deepEqual(reported.get("items")?.toSorted(), [
    ...["apply-scheduled", "campaign-items", "cancel-scheduled", "delete-items", "draw-pages", "patch-items"],
    ...["remove-pages", "remove-properties", "remove-sics", "set-pages", "undo-list"],
  ]);
  t.is(reported.size, 3);
  t.is(resultOf("toString"), undefined);
});
