import { type CsvCell, csvLine } from "../../../schemas/csv.ts";
import type { LabelBehind, ShownThen } from "../../../schemas/integrity.ts";

/** The columns of a CSV report, each with a function that returns a row's cell. */
export type Columns<Row> = Readonly<Record<string, (row: Row) => CsvCell>>;

export const behindColumns: Columns<LabelBehind> = {
  barcode: ({ barcode }) => barcode,
  itemIds: ({ itemIds }) => itemIds.join(" "),
  cause: ({ cause }) => cause,
  since: ({ since }) => since,
  reason: ({ reason }) => reason,
};

export const shownColumns: Columns<ShownThen> = {
  barcode: ({ barcode }) => barcode,
  page: ({ page }) => page,
  since: ({ since }) => since,
  itemIds: ({ items }) => items.map(({ itemId }) => itemId).join(" "),
  prices: ({ items }) => items.map(({ price }) => price ?? "").join(" "),
  image: ({ image }) => image,
  fault: ({ fault }) => fault,
  uploaded: ({ uploaded }) => (uploaded ? "true" : "false"),
};

/** Returns the CSV line with the column names (RFC 4180, without the line ending). */
export const csvHead = <Row>(columns: Columns<Row>): string => csvLine(Object.keys(columns));

/** Returns a row as a CSV line. */
export const csvRow = <Row>(columns: Columns<Row>, row: Row): string =>
  csvLine(Object.values(columns).map((column) => column(row)));
