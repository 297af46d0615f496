import { countsText, type Sheet } from "./contact-sheet.ts";

/** Maximum number of listed failures of one sheet. The page shows more. */
const MAX_LISTED = 20;

/** Returns a line for each row whose items were all drawn, and each failure with its design's file and label type. */
export function reportOf(sheets: readonly Sheet[]): { lines: string[]; failures: string[]; hasFailed: boolean } {
  const failures = sheets.flatMap((sheet) => {
    const all = failuresOf(sheet);
    const more = all.length - MAX_LISTED;
    return more > 0 ? [...all.slice(0, MAX_LISTED), `${sheet.title}: and ${more} more`] : all;
  });
  const lines = sheets.flatMap(({ title, rows }) =>
    rows.flatMap((row) => (row.counts ? [`${title}: ${row.title}: ${countsText(row.counts)}`] : [])),
  );
  return { lines, failures, hasFailed: failures.length > 0 };
}

const failuresOf = ({ title, messages = [], rows }: Sheet): string[] => [
  ...messages.map((message) => `${title}: ${message}`),
  ...rows.flatMap((row) =>
    row.pictures.flatMap(({ caption, failures }) =>
      failures.map((failure) => `${title}: ${row.title}: ${caption}: ${failure}`),
    ),
  ),
];
