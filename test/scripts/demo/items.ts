import { readFileSync } from "node:fs";
import { parse } from "csv-parse/sync";
import type { Item, ItemPatch } from "../../../schemas/item.ts";
import type { Row } from "../../../scripts/operate/import/mapping.ts";
import { readItems } from "../../../scripts/operate/import/read-items.ts";

const file = new URL("../../../scripts/demo/products.csv", import.meta.url);

/** The demo's products as rows of its file. */
export const rows: readonly Row[] = parse(readFileSync(file), { columns: true });

/** The demo's products as an import sends them. */
export const patches: readonly ItemPatch[] = await readItems(file);

/** The demo's products as stored items. */
export const items: readonly Item[] = patches.map((patch) => storedItem(patch));

/** Returns the item that is stored after these fields were sent. */
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
