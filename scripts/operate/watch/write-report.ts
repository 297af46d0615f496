import { csvLine, LINE_END } from "../../../schemas/csv.ts";
import type { FileReport } from "./apply-file.ts";

/** Returns the report about a file: a line for each of its rows, as CSV, or only the reason if the file could not be read. */
export function writeReport({ reason, rows }: FileReport): { ending: string; text: string } {
  if (rows.length === 0) return { ending: "reason.txt", text: `${reason}\n` };
  const lines = rows.map(({ line, itemId, status, reason: why }) => [line, itemId, status, why]);
  const whole = reason === undefined ? [] : [[null, null, "FILE", reason]];
  const text = [["line", "itemId", "status", "reason"], ...lines, ...whole].map(csvLine).join(LINE_END);
  return { ending: "report.csv", text: `${text}${LINE_END}` };
}

/** Counts the rows of a file by status. */
export function countsOf({ rows }: FileReport): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status } of rows) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
