import type { OverallStatus, RequestStatus, RowStatus } from "../../schemas/request.ts";

const good: ReadonlySet<RowStatus> = new Set(["SUCCESS", "SUCCESS_NEW_ITEM"]);

/** Whether a row has failed, as a whole or in part. */
const hasFailed = ({ status }: { status: RowStatus }): boolean => status !== "PENDING" && !good.has(status);

/** Returns how many rows have failed, as a whole or in part, and the outcome of the request in one word. */
export function overallOf(
  status: RequestStatus,
  rows: readonly { status: RowStatus }[],
): { errorCount: number; overallStatus: OverallStatus } {
  const errorCount = rows.filter(hasFailed).length;
  if (status !== "COMPLETED") return { errorCount, overallStatus: status };
  if (errorCount === 0) return { errorCount, overallStatus: "SUCCESS" };
  const nothingDone = errorCount === rows.length && rows.every((row) => row.status !== "PARTIAL");
  return { errorCount, overallStatus: nothingDone ? "ERROR" : "PARTIAL_SUCCESS" };
}

/** Returns the rows of a result that a response shows: all; the failed ones, with their places; or none. */
export function rowsShown<Row extends { status: RowStatus }>(
  rows: readonly Row[],
  { isWithout = false, onlyErrors = false }: { isWithout?: boolean | undefined; onlyErrors?: boolean | undefined },
): readonly (Row & { place?: number })[] {
  if (isWithout) return [];
  return onlyErrors ? rows.map((row, place) => ({ place, ...row })).filter(hasFailed) : rows;
}
