import { dayText, latencyRows, refusalRows } from "./page.ts";
import { durationText } from "./plot.ts";
import type { LoadReport } from "./report.ts";

/** Returns the report for a terminal. */
export function reportLines(report: LoadReport): string[] {
  const { kinds, sentLate, isGlassTimed } = report;
  const counts = Object.values(kinds);
  const incomplete = counts.reduce((sum, kind) => sum + kind.incomplete, 0);
  const missing = counts.reduce((sum, kind) => sum + kind.missingOnGlass, 0);
  const unknown = counts.reduce((sum, kind) => sum + kind.unknownOnGlass, 0);
  return [
    dayText(report),
    ...aligned([["", "count", "p50", "p90", "p99", "p99.9", "max"], ...latencyRows(report)]),
    ...(report.refusals.length === 0
      ? ["No call was rejected."]
      : aligned([["refused", "status", "problem", "count"], ...refusalRows(report)])),
    ...(incomplete > 0 ? [`${incomplete} results were not complete in time.`] : []),
    ...(missing > 0 ? [`${missing} pictures did not reach their labels in time.`] : []),
    ...(unknown > 0 ? [`It is unknown when ${unknown} pictures reached their labels.`] : []),
    ...(isGlassTimed
      ? []
      : ["No label acknowledged its picture during the set-up: times to the glass were not measured."]),
    ...(sentLate
      ? [`Calls were sent up to ${durationText(sentLate.max)} late (p99 ${durationText(sentLate.p99)}).`]
      : []),
  ];
}

/** Returns rows as lines with columns. The first column is aligned left, the others right. */
function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? "").length)));
  return rows.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join("  "),
  );
}
