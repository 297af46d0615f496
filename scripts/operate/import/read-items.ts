import { readFile } from "node:fs/promises";
import { parse } from "csv-parse/sync";
import type { ItemPatch } from "../../../schemas/item.ts";
import { assertColumns, itemOf, type Row, readMapping } from "./mapping.ts";

/** The mapping of Konzum's published price lists, from which the demo's products come. */
const KONZUM = new URL("./konzum.json", import.meta.url);

/** Reads a CSV file with a header as rows of PATCH /items. Throws if it lacks a column that the mapping names. */
export async function readItems(file: URL | string, mappingFile: URL | string = KONZUM): Promise<ItemPatch[]> {
  const mapping = await readMapping(mappingFile);
  const rows: Row[] = parse(await readFile(file), { columns: true, bom: true, skip_empty_lines: true });
  assertColumns(mapping, Object.keys(rows[0] ?? {}));
  return rows.map((row) => itemOf(row, mapping));
}
