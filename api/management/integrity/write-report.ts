import { Readable } from "node:stream";
import { LINE_END } from "../../../schemas/csv.ts";
import { type Columns, csvHead, csvRow } from "./columns.ts";
import type { ReportPart } from "./report.ts";

/** A report's format: one JSON object, or CSV. */
export type ReportFormat = "json" | "csv";

interface ReportText<Row> {
  /** Name of the JSON list with the rows. */
  list: string;
  columns: Columns<Row>;
  /** Returns the JSON summary that follows the rows. */
  summary(labels: number): Promise<object>;
}

/**
 * Returns a report that is written part by part. The first part is read before the stream is returned, so that an
 * unavailable database results in a problem document and not in a truncated report.
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
  let [labels, hasRows] = [0, false];
  let before = `{${JSON.stringify(list)}:[`;
  for await (const { rows, labels: looked } of parts) {
    labels += looked;
    if (rows.length === 0) continue;
    hasRows = true;
    yield before + rows.map((row) => JSON.stringify(row)).join(",");
    before = ",";
  }
  if (!hasRows) yield before;
  yield `],${JSON.stringify(await summary(labels)).slice(1)}`;
}

async function* csvOf<Row>(parts: AsyncGenerator<ReportPart<Row>>, { columns }: ReportText<Row>) {
  let before = csvHead(columns) + LINE_END;
  for await (const { rows } of parts) {
    if (rows.length === 0) continue;
    yield before + rows.map((row) => csvRow(columns, row) + LINE_END).join("");
    before = "";
  }
  if (before !== "") yield before;
}
