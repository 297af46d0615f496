import type { DecimalSign } from "../prices/decimal-sign.ts";
import { readPrice } from "../prices/read-price.ts";

/** An item in a list, with its price if the line has one. */
export interface ListedItem {
  itemId: string;
  price?: string;
}

/**
 * Reads a pasted list with one item per line: only its number, or its number and a price after a tab, a semicolon or, if
 * neither occurs, a comma. A first line whose price cannot be read is a heading. Returns the first other line that cannot
 * be read. If an item is repeated, its last line counts.
 */
export function parseItems(text: string, decimal: DecimalSign): { items: ListedItem[]; badLine?: string } {
  const lines = text
    .replace(/^\uFEFF/, "")
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const delimiter = ["\t", ";"].find((sign) => text.includes(sign)) ?? ",";
  const found = new Map<string, ListedItem>();
  for (const [index, line] of lines.entries()) {
    const [itemId = "", written = ""] = splitOnce(line, delimiter);
    const price = written === "" ? undefined : readPrice(written, decimal);
    if (itemId === "" || (written !== "" && price === undefined)) {
      if (index === 0 && itemId !== "") continue;
      return { items: [...found.values()], badLine: line };
    }
    found.delete(itemId);
    found.set(itemId, { itemId, ...(price !== undefined && { price }) });
  }
  return { items: [...found.values()] };
}

function splitOnce(line: string, delimiter: string): string[] {
  const at = line.indexOf(delimiter);
  const cells = at < 0 ? [line] : [line.slice(0, at), line.slice(at + 1)];
  // Additional columns are not read.
  const [second = ""] = (cells[1] ?? "").split(delimiter === "," ? /,(?!\d)/ : delimiter);
  return [cells[0] ?? "", second].map((cell) => cell.trim().replace(/^"(.*)"$/, "$1"));
}
