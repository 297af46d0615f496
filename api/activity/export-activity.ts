import { Readable } from "node:stream";
import { matchingRows } from "../../domain/activity/matching-rows.ts";
import type { ActivityAnswer, ActivityEntry, ActivityRow } from "../../schemas/activity.ts";
import { type CsvCell, csvLine, LINE_END } from "../../schemas/csv.ts";
import { activityAnswer } from "./activity-answer.ts";

const NO_ROWS: readonly ActivityRow[] = [{}];

/** The export's columns, each with the function for its cell. */
const columns: readonly [string, (entry: ActivityAnswer, row: ActivityRow) => CsvCell][] = [
  ["at", ({ at }) => at],
  ["actorKind", ({ actor }) => actor?.kind ?? null],
  ["actor", ({ actor }) => actor?.id ?? null],
  ["channel", ({ actor }) => actor?.channel ?? null],
  ["store", ({ storeId }) => storeId],
  ["operation", ({ operation }) => operation],
  ["requestId", ({ requestId }) => requestId],
  ["xRequestId", ({ xRequestId }) => xRequestId],
  [
    "names",
    ({ names }) =>
      Object.entries(names)
        .map(([name, value]) => `${name}=${value}`)
        .join(" "),
  ],
  ["itemId", (_, { itemId }) => itemId ?? null],
  ["barcode", (_, { barcode }) => barcode ?? null],
  ["price", (_, { price }) => price ?? null],
  ["validFrom", (_, { validFrom }) => validFrom ?? null],
  ["fields", ({ fields }, row) => (row.fields ?? fields).join(" ")],
  ["status", ({ status }, { failed }) => failed ?? status],
  ["place", ({ place }) => place],
  ["hash", ({ hash }) => hash],
];

type Subjects = Parameters<typeof matchingRows>[1];

/** The lines of an entry: in CSV one for each row, in NDJSON one with all rows. */
const linesOf = {
  csv(entry: ActivityEntry, subjects: Subjects): string {
    const answer = activityAnswer(entry, subjects, 0);
    const rows = matchingRows(entry, subjects);
    return (rows.length > 0 ? rows : NO_ROWS)
      .map((row) => csvLine(columns.map(([, cellOf]) => cellOf(answer, row))) + LINE_END)
      .join("");
  },
  ndjson: (entry: ActivityEntry, subjects: Subjects): string =>
    `${JSON.stringify(activityAnswer(entry, subjects, Number.POSITIVE_INFINITY))}\n`,
};

/**
 * Writes entries batch by batch. The first batch is read before the stream is returned, so that an unavailable database
 * results in a problem document and not in a truncated file.
 */
export async function exportActivity(
  batches: AsyncGenerator<ActivityEntry[]>,
  format: "csv" | "ndjson",
  subjects: Subjects,
): Promise<Readable> {
  const first = await batches.next();
  async function* texts(): AsyncGenerator<string> {
    if (format === "csv") yield csvLine(columns.map(([name]) => name)) + LINE_END;
    if (!first.done) yield first.value.map((entry) => linesOf[format](entry, subjects)).join("");
    for await (const batch of batches) yield batch.map((entry) => linesOf[format](entry, subjects)).join("");
  }
  return Readable.from(texts(), { highWaterMark: 1 });
}
