import { type CsvCell, csvLine } from "../../../schemas/csv.ts";
import type { LabelBehind, ShownThen } from "../../../schemas/integrity.ts";

/** The columns of a report as CSV, each with its text of a row. */
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

/** The line of CSV with the columns' names (RFC 4180, without its end). */
export const csvHead = <Row>(columns: Columns<Row>): string => csvLine(Object.keys(columns));

/** A row's line of CSV. */
export const csvRow = <Row>(columns: Columns<Row>, row: Row): string =>
  csvLine(Object.values(columns).map((column) => column(row)));
