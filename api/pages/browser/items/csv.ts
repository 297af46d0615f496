/** A record of a CSV file, with the line on which it begins, from 1. */
export interface CsvRow {
  line: number;
  cells: string[];
}

export interface Csv {
  header: string[];
  rows: CsvRow[];
  /** The line of a quotation mark that is never closed. */
  openQuote?: number;
}

const delimiters = [",", ";", "\t", "|"] as const;

/**
 * Reads a CSV file with a header (RFC 4180): the delimiter is the most frequent one in its first line; empty lines are
 * skipped.
 */
export function parseCsv(text: string): Csv {
  const { records, openQuote } = recordsOf(text.replace(/^\uFEFF/, ""), delimiterOf(text));
  const [first, ...rows] = records.filter(({ cells }) => cells.some((cell) => cell.trim() !== ""));
  return {
    header: (first?.cells ?? []).map((cell) => cell.trim()),
    rows,
    ...(openQuote !== undefined && { openQuote }),
  };
}

function delimiterOf(text: string): string {
  const unquoted = (/^(?:"(?:[^"]|"")*"|[^"\r\n])*/.exec(text)?.[0] ?? "").replace(/"(?:[^"]|"")*"/g, "");
  const countOf = (delimiter: string) => unquoted.split(delimiter).length;
  return [...delimiters].sort((a, b) => countOf(b) - countOf(a))[0] ?? ",";
}

function recordsOf(text: string, delimiter: string): { records: CsvRow[]; openQuote?: number } {
  const records: CsvRow[] = [];
  let row: CsvRow = { line: 1, cells: [] };
  let [at, line] = [0, 1];
  const end = (next: string) => next === "" || next === delimiter || next === "\n" || next === "\r";
  while (at < text.length) {
    let cell = "";
    if (text[at] === '"') {
      const opened = line;
      for (at += 1; text[at] !== '"' || text[at + 1] === '"'; at += 1) {
        if (at >= text.length) return { records, openQuote: opened };
        if (text[at] === '"') at += 1;
        if (text[at] === "\n") line += 1;
        cell += text[at];
      }
      at += 1;
    }
    const start = at;
    while (!end(text[at] ?? "")) at += 1;
    row.cells.push(cell + text.slice(start, at));
    if (text[at] === delimiter) {
      at += 1;
      if (at < text.length) continue;
      row.cells.push("");
    }
    if (text[at] === "\r" && text[at + 1] === "\n") at += 1;
    at += 1;
    line += 1;
    records.push(row);
    row = { line, cells: [] };
  }
  return { records };
}

/** Returns a file's text: UTF-8 or UTF-16 if valid, otherwise the Windows encoding of the page's language. */
export function decoded(bytes: ArrayBuffer, language: string): string {
  const [first, second] = new Uint8Array(bytes);
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder(language === "hr" ? "windows-1250" : "windows-1252").decode(bytes);
  }
}
