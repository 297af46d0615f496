import { readFileSync } from "node:fs";
import { parse } from "csv-parse/sync";
import type { Item, ItemPatch } from "../../../schemas/item.ts";
import { itemOf, type Row, readMapping } from "../../../scripts/import/mapping.ts";

const folder = new URL("../../../scripts/", import.meta.url);
const mapping = await readMapping(new URL("import/konzum.json", folder));

/** The demo's products, as they stand in the file. */
export const rows: readonly Row[] = parse(readFileSync(new URL("demo/products.csv", folder)), { columns: true });

/** The demo's products, as an import sends them. */
export const patches: readonly ItemPatch[] = rows.map((row) => itemOf(row, mapping));

/** The demo's products, as they are stored. */
export const items: readonly Item[] = patches.map((patch) => storedItem(patch));

/** An item as it is stored once these fields were sent. */
export function storedItem({ itemId, itemName, price, itemGroup, sics, properties }: ItemPatch): Item {
  return {
    itemId,
    ...(itemName && { itemName }),
    ...(price && { price }),
    ...(itemGroup && { itemGroup }),
    sics: sics ?? [],
    properties: Object.entries(properties ?? {}).map(([key, value]) => ({ key, value, stamp: 1 })),
    stamps: {},
    created: 1,
  };
}
