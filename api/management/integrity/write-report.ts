import { Readable } from "node:stream";
import type { ReportPart } from "./report.ts";

/** How rows are written: as JSON in one object, or as CSV. */
export type ReportFormat = "json" | "csv";

interface ReportText<Row> {
  /** Name of the list of rows in JSON. */
  list: string;
  /** The columns in CSV, each with its text of a row. */
  columns: Readonly<Record<string, (row: Row) => string | number | null>>;
  /** What is told of the whole after the rows, in JSON. */
  summary(labels: number, rows: number): Promise<object>;
}

/**
 * A report that is written part by part. The first part is read before the stream is returned, so that a database that is
 * away gives a problem document and no truncated report.
 */
export async function writeReport<Row>(
  parts: AsyncGenerator<ReportPart<Row>>,
  format: ReportFormat,
  text: ReportText<Row>,
): Promise<Readable> {
  const texts = format === "csv" ? csvOf(parts, text) : jsonOf(parts, text);
  const first = await texts.next();
  async function* all(): AsyncGenerator<string> {
    if (!first.done) yield first.value;
    yield* texts;
  }
  return Readable.from(all(), { highWaterMark: 1 });
}

async function* jsonOf<Row>(parts: AsyncGenerator<ReportPart<Row>>, { list, summary }: ReportText<Row>) {
  let [labels, count] = [0, 0];
  let before = `{${JSON.stringify(list)}:[`;
  for await (const { rows, labels: looked } of parts) {
    labels += looked;
    count += rows.length;
    if (rows.length === 0) continue;
    yield before + rows.map((row) => JSON.stringify(row)).join(",");
    before = ",";
  }
  if (count === 0) yield before;
  yield `],${JSON.stringify(await summary(labels, count)).slice(1)}`;
}

async function* csvOf<Row>(parts: AsyncGenerator<ReportPart<Row>>, { columns }: ReportText<Row>) {
  let before = csvLine(Object.keys(columns));
  for await (const { rows } of parts) {
    if (rows.length === 0) continue;
    yield before + rows.map((row) => csvLine(Object.values(columns).map((column) => column(row)))).join("");
    before = "";
  }
  if (before !== "") yield before;
}

/** A line of CSV (RFC 4180). */
const csvLine = (fields: readonly (string | number | null)[]): string =>
  `${fields.map((field) => quoted(String(field ?? ""))).join(",")}\r\n`;

const quoted = (field: string): string => (/[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field);
