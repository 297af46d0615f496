import test from "ava";
import type { RowStatus } from "../../../schemas/request.ts";
import type { SentRequest } from "./last-requests.ts";
import { rowsApplied } from "./rows-applied.ts";

const request = (requestId: number, row: SentRequest["rows"][number], status: RowStatus = "SUCCESS") => ({
  sent: { requestId, operation: "patch-items", appliedAt: requestId, rows: [{ itemId: "apple", ...row }] },
  result: {
    ...({ status: "COMPLETED", overallStatus: "SUCCESS", itemErrorCount: 0 } as const),
    itemResults: [{ itemId: "apple", status, errors: [] }],
  },
});
const old = request(1, { price: "1.99" });
const planned = { ...request(2, {}), sent: { ...request(2, {}).sent, operation: "apply-scheduled", rows: [] } };
const deleted = { ...request(2, {}), result: undefined };

type Requests = Parameters<typeof rowsApplied>[0];
const cases: readonly [string, Requests, number | undefined, number?][] = [
  ["a successful row", [old], 1],
  ["the newest row", [request(2, { price: "2.49" }), old], 2],
  ["no row if a newer request names the item without a price", [request(2, {}), old], undefined],
  ["no row if a newer request deletes the item", [deleted, old], undefined],
  ["no failed row", [request(2, { price: "2.49" }, "ERROR"), old], undefined],
  ["no scheduled row", [request(2, { price: "2.49", validFrom: "2027-01-01" }), old], undefined],
  ["no row before scheduled changes were applied", [planned, old], undefined],
  ["no row if the item was written after all requests", [old], undefined, 2],
  ["no row without a request", [], undefined],
];
for (const [name, requests, requestId, itemRev = 1] of cases)
  test(name, (t) => t.is(rowsApplied(requests)({ itemId: "apple", itemRev })?.requestId, requestId));

test("the last of several rows for one item counts", (t) => {
  const { sent, result } = old;
  const rows = [
    { itemId: "apple", price: "1.99" },
    { itemId: "apple", price: "2.49" },
  ];
  const twice = {
    sent: { ...sent, rows },
    result: { ...result, itemResults: [0, 1].flatMap(() => result.itemResults) },
  };
  t.is(rowsApplied([twice])({ itemId: "apple", itemRev: 1 })?.price, "2.49");
});
