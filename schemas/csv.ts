/** A cell of a CSV file; null and a text of nothing are empty cells. */
export type CsvCell = string | number | null;

/**
 * A line of CSV (RFC 4180), without its end. Spreadsheets run a text that begins with = + - @ as a formula, also behind a
 * tab or a line break, and such texts come from callers; so it gets an apostrophe before it (OWASP, CSV injection). A text
 * that is a number, such as -1.50, is none and stays as it is.
 */
export const csvLine = (cells: readonly CsvCell[]): string => cells.map((cell) => quoted(safe(cell ?? ""))).join(",");

/** The signs also in their full width, which spreadsheets of some languages take alike. */
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
const NUMBER = /^[+-]?\d+(?:[.,]\d+)?$/;

const safe = (cell: string | number): string =>
  typeof cell === "string" && FORMULA.test(cell) && !NUMBER.test(cell) ? `'${cell}` : String(cell);

const quoted = (field: string): string => (/[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field);
