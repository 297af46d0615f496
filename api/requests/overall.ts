import type { OverallStatus, RequestStatus, RowStatus } from "../../schemas/request.ts";

const good: ReadonlySet<RowStatus> = new Set(["SUCCESS", "SUCCESS_NEW_ITEM"]);

/** Returns how many rows have failed, as a whole or in part, and the outcome of the request in one word. */
export function overallOf(
  status: RequestStatus,
  rows: readonly { status: RowStatus }[],
): { errorCount: number; overallStatus: OverallStatus } {
  const errorCount = rows.filter((row) => row.status !== "PENDING" && !good.has(row.status)).length;
  if (status !== "COMPLETED") return { errorCount, overallStatus: status };
  if (errorCount === 0) return { errorCount, overallStatus: "SUCCESS" };
  const nothingDone = errorCount === rows.length && rows.every((row) => row.status !== "PARTIAL");
  return { errorCount, overallStatus: nothingDone ? "ERROR" : "PARTIAL_SUCCESS" };
}
