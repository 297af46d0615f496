/** The line break of CSV (RFC 4180). */
export const LINE_END = "\r\n";

/** A cell of a CSV file; null and the empty string are empty cells. */
export type CsvCell = string | number | null;

/**
 * Returns a line of CSV (RFC 4180), without its line break. Spreadsheets run text that begins with = + - @ as a formula, even
 * after a tab or a line break. Since callers can send such text, an apostrophe is put in front of it (OWASP, CSV injection).
 * Text that is a number, such as -1.50, is not a formula and stays unchanged.
 */
export const csvLine = (cells: readonly CsvCell[]): string => cells.map((cell) => quoted(safe(cell ?? ""))).join(",");

/** Includes the full-width forms, which spreadsheets treat the same way in some languages. */
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
const NUMBER = /^[+-]?\d+(?:[.,]\d+)?$/;

const safe = (cell: string | number): string =>
  typeof cell === "string" && FORMULA.test(cell) && !NUMBER.test(cell) ? `'${cell}` : String(cell);

const quoted = (field: string): string => (/[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field);
