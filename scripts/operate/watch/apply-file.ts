import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { ShelfwireError } from "../../../docs/typescript-client/index.ts";
import { ItemPatch } from "../../../schemas/item.ts";
import { compileCheck } from "../../../schemas/validate.ts";
import { CellError } from "../import/file-form.ts";
import { assertColumns, itemOf, type Mapping, type Row } from "../import/mapping.ts";
import { readRows } from "../import/read-rows.ts";
import type { TakenFile } from "./folders.ts";
import { type RowReport, type SendableRow, type Store, sendRows } from "./send-rows.ts";

/** The outcome of a file: done if a row was applied or held, otherwise failed with the reason. */
export interface FileReport {
  outcome: "done" | "failed";
  /** Why the file, or the rest of it, was not sent. */
  reason?: string;
  rows: readonly RowReport[];
}

/** Thrown if a file cannot be sent now for a reason outside the file. It stays in work. */
export class LaterError extends Error {
  override readonly name = "LaterError";
}

/** Limits on a file. A workbook's is lower, because a workbook is compressed. */
export const fileLimits = { maxBytes: 256 * 2 ** 20, maxWorkbookBytes: 32 * 2 ** 20, maxRows: 1_000_000 };

/** Statuses of calls that fail because of the file's contents. */
const FILE_FAULTS: ReadonlySet<number> = new Set([400, 413, 422]);
const checkItem = compileCheck(ItemPatch);

/**
 * Reads a file in work and applies its rows. Called again after an interruption, it continues, because its key depends on the
 * name in `working/`, the contents and the mapping. Throws a LaterError if the API does not accept the rows now.
 */
export async function applyFile(store: Store, file: TakenFile, mapping: Mapping): Promise<FileReport> {
  let read: { rows: readonly SendableRow[]; refused: readonly RowReport[]; key: string };
  try {
    read = await readFileRows(file, mapping);
  } catch (error) {
    // The folder is unreachable, for example because it is on a network. Nothing is wrong with the file.
    if ("syscall" in (error as Error)) throw new LaterError((error as Error).message, { cause: error });
    return { outcome: "failed", reason: (error as Error).message, rows: [] };
  }
  const { rows, refused, key } = read;
  const reported: RowReport[] = [];
  let reason: string | undefined;
  try {
    await sendRows(store, rows, key, (part) => void reported.push(...part));
  } catch (error) {
    if (!(error instanceof ShelfwireError)) throw error;
    if (!FILE_FAULTS.has(error.problem.status)) throw new LaterError(error.message, { cause: error });
    reason = textOf(error);
  }
  const isTaken = reported.some(({ status }) => /^(SUCCESS|PARTIAL|HELD)/.test(status));
  const notSent = rows.slice(reported.length).map(({ line, item }) => rowReport(line, item.itemId, "NOT_SENT", ""));
  return {
    outcome: isTaken ? "done" : "failed",
    ...(reason !== undefined && { reason }),
    ...(reason === undefined && !isTaken && { reason: "none of its rows was applied" }),
    rows: [...reported, ...notSent, ...refused].toSorted((a, b) => a.line - b.line),
  };
}

async function readFileRows(file: TakenFile, mapping: Mapping) {
  const { size } = await stat(file.path);
  const isWorkbook = /\.xlsx$/i.test(file.name);
  const maxBytes = isWorkbook ? fileLimits.maxWorkbookBytes : fileLimits.maxBytes;
  if (size > maxBytes) throw new Error(`the file has ${size} bytes, more than ${maxBytes}; split it`);
  const content = await readFile(file.path);
  const { columns, rows: fileRows } = await readRows(file.name, content, mapping.file);
  assertColumns(mapping, columns);
  if (fileRows.length === 0) throw new Error("the file has no rows");
  if (fileRows.length > fileLimits.maxRows)
    throw new Error(`the file has ${fileRows.length} rows, more than ${fileLimits.maxRows}; split it`);
  const rows: SendableRow[] = [];
  const refused: RowReport[] = [];
  for (const { line, cells } of fileRows) {
    const read = readItem(cells, mapping);
    if ("fault" in read) refused.push(rowReport(line, read.itemId, "REFUSED", read.fault));
    else rows.push({ line, item: read.item });
  }
  const hash = createHash("sha256")
    .update(JSON.stringify([file.name, mapping]))
    .update(content)
    .digest("hex");
  return { rows, refused, key: `watch-${hash}` };
}

/** Returns an item, or why its row cannot be sent. One invalid row would make the API reject the whole request. */
function readItem(cells: Row, mapping: Mapping): { item: ItemPatch } | { itemId: string; fault: string } {
  try {
    const item = itemOf(cells, mapping);
    const faults = checkItem(item);
    const fault = faults.map(({ pointer, detail }) => `${pointer.slice(1)} ${detail}`).join("; ");
    return faults.length === 0 ? { item } : { itemId: item.itemId, fault };
  } catch (error) {
    if (!(error instanceof CellError)) throw error;
    return { itemId: itemOf(cells, { itemId: mapping.itemId }).itemId, fault: error.message };
  }
}

const rowReport = (line: number, itemId: string, status: RowReport["status"], reason: string): RowReport => ({
  ...{ line, itemId, status, reason },
});

const textOf = ({ problem: { title, detail, errors = [] } }: ShelfwireError): string =>
  [`${title}: ${detail}`, ...errors.map(({ pointer, detail: fault }) => `${pointer} ${fault}`)].join("; ");
