import test from "ava";
import { overallOf, rowsShown } from "../../../api/requests/overall.ts";
import type { RequestStatus, RowStatus } from "../../../schemas/request.ts";

for (const [status, rows, expected] of [
  ["PENDING", [], [0, "PENDING"]],
  ["IN_PROGRESS", ["SUCCESS", "PENDING", "ERROR"], [1, "IN_PROGRESS"]],
  ["COMPLETED", ["SUCCESS", "SUCCESS_NEW_ITEM"], [0, "SUCCESS"]],
  ["COMPLETED", ["SUCCESS", "ITEM_NOT_FOUND", "UNKNOWN"], [2, "PARTIAL_SUCCESS"]],
  ["COMPLETED", ["ERROR", "ERROR_NO_LINK_DEPARTMENTS"], [2, "ERROR"]],
  // A partly applied row counts as an error, but does not make its request fail as a whole.
  ["COMPLETED", ["SUCCESS", "PARTIAL"], [1, "PARTIAL_SUCCESS"]],
  ["COMPLETED", ["PARTIAL", "ERROR"], [2, "PARTIAL_SUCCESS"]],
  ["COMPLETED", [], [0, "SUCCESS"]],
] as const satisfies readonly [RequestStatus, readonly RowStatus[], readonly [number, string]][]) {
  test(`${status} with rows ${rows.join(", ") || "of nothing"} is ${expected[1]} with ${expected[0]} errors`, (t) => {
    const { errorCount, overallStatus } = overallOf(
      status,
      rows.map((one) => ({ status: one })),
    );
    t.deepEqual([errorCount, overallStatus], [...expected]);
  });
}

test("a response may leave out all rows, or only the rows that did not fail; the rows that remain then state their places", (t) => {
  const rows = (["SUCCESS", "PARTIAL", "PENDING", "ERROR"] as const).map((status) => ({ status }));
  t.deepEqual(rowsShown(rows, {}), rows);
  t.deepEqual(rowsShown(rows, { isWithout: true, onlyErrors: true }), []);
  t.deepEqual(rowsShown(rows, { onlyErrors: true }), [
    { place: 1, status: "PARTIAL" },
    { place: 3, status: "ERROR" },
  ]);
});
