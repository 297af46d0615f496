import { readFile } from "node:fs/promises";
import type { ItemPatch } from "../../../schemas/item.ts";
import { assertColumns, itemOf, readMapping } from "./mapping.ts";
import { readRows } from "./read-rows.ts";

/** The mapping of Konzum's published price lists, from which the demo's products come. */
const KONZUM = new URL("./konzum.json", import.meta.url);

/**
 * Reads a price file as rows of PATCH /items. Throws if the file lacks a column that the mapping names, or if a number is not
 * in the format that the mapping specifies.
 */
export async function readItems(file: URL | string, mappingFile: URL | string = KONZUM): Promise<ItemPatch[]> {
  const mapping = await readMapping(mappingFile);
  const { columns, rows } = await readRows(String(file), await readFile(file), mapping.file);
  assertColumns(mapping, columns);
  return rows.map(({ cells }) => itemOf(cells, mapping));
}
