import { type InfoRecord, parse } from "csv-parse/sync";
import { readSheet } from "read-excel-file/node";
import type { FileForm } from "./file-form.ts";
import type { Row } from "./mapping.ts";

/** A row of a file: the number of its line or row, counted from 1, and its cells by column. */
export interface FileRow {
  line: number;
  cells: Row;
}

/** The rows of a file, and its columns. */
export interface FileRows {
  columns: readonly string[];
  rows: readonly FileRow[];
}

/** Marks the end of files that DOS programs write. */
const END_OF_FILE = "\u001a";
/** The number of digits that a spreadsheet keeps. */
const SHEET_DIGITS = 15;

/**
 * Reads a price file: fixed-width if the form names columns, XLSX by its name, otherwise CSV with a header. Throws an error
 * that explains what is wrong with the file.
 */
export async function readRows(name: string, content: Buffer, form: FileForm = {}): Promise<FileRows> {
  if (form.columns !== undefined) return fixedWidth(textOf(content, form), form, form.columns);
  if (/\.xlsx$/i.test(name)) return workbook(content, form);
  if (/\.xls$/i.test(name)) throw new Error("Excel 97 workbooks cannot be read; save it as .xlsx");
  return separated(textOf(content, form), form);
}

function textOf(content: Buffer, { encoding = "utf-8" }: FileForm): string {
  const decoder = new TextDecoder(encoding, { fatal: true });
  try {
    return decoder.decode(content);
  } catch {
    throw new Error(`the file is not written in ${encoding}; name its encoding in the mapping, such as windows-1250`);
  }
}

function separated(text: string, { delimiter = "," }: FileForm): FileRows {
  const records: string[][] = [];
  const lines: number[] = [];
  parse(text, {
    ...{ delimiter, bom: true, skip_empty_lines: true },
    on_record: (record: string[], { lines: line }: InfoRecord) => {
      records.push(record);
      lines.push(line);
      return null;
    },
  });
  return named(records, (index) => lines[index] ?? 0);
}

async function workbook(content: Buffer, { sheet }: FileForm): Promise<FileRows> {
  const options = { parseNumber: sheetNumber, trim: false };
  const data = await (sheet === undefined ? readSheet(content, options) : readSheet(content, sheet, options));
  const records = data.map((cells) => cells.map(cellText));
  return named(records, (index) => index + 1);
}

/** Returns a number as a person typed it. Files contain 1.9900000000000002 for 1.99, and 3.85E+12 for codes. */
const sheetNumber = (text: string): string => String(Number(Number(text).toPrecision(SHEET_DIGITS)));

function cellText(cell: unknown): string {
  if (cell === null || cell === undefined) return "";
  return cell instanceof Date ? cell.toISOString().slice(0, 19).replace("T", " ") : String(cell);
}

/** Returns rows with the columns that the first record names. */
function named(records: readonly string[][], lineOf: (index: number) => number): FileRows {
  const [columns = [], ...rest] = records;
  const twice = columns.find((column, index) => column !== "" && columns.indexOf(column) !== index);
  if (twice !== undefined) throw new Error(`the file has two columns named ${twice}`);
  const rows = rest.map((record, index) => ({
    line: lineOf(index + 1),
    cells: Object.fromEntries(columns.map((column, place) => [column, record[place] ?? ""])),
  }));
  return { columns, rows: rows.filter(({ cells }) => Object.values(cells).some((cell) => cell !== "")) };
}

type Columns = NonNullable<FileForm["columns"]>;

function fixedWidth(text: string, { lines, isTrimmed = false }: FileForm, columns: Columns): FileRows {
  const width = Math.max(...Object.values(columns).map(({ from, length }) => from + length - 1));
  const isRow = (line: string): boolean =>
    line.trim() !== "" && (lines === undefined || line.startsWith(lines.text, lines.from - 1));
  const texts = (text.endsWith(END_OF_FILE) ? text.slice(0, -1) : text).split(/\r\n|\n|\r/);
  const rows = texts.flatMap((one, index) => {
    if (!isRow(one)) return [];
    const line = index + 1;
    if (one.length < width && !isTrimmed)
      throw new Error(`line ${line} has ${one.length} characters instead of ${width}: the file is incomplete`);
    return { line, cells: cut(one, columns) };
  });
  return { columns: Object.keys(columns), rows };
}

const cut = (line: string, columns: Columns): Row =>
  Object.fromEntries(
    Object.entries(columns).map(([name, { from, length }]) => [name, line.slice(from - 1, from - 1 + length).trim()]),
  );
