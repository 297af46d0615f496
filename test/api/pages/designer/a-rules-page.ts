import type { Page } from "playwright-core";
import type { ItemProperties } from "../../../../schemas/item-properties.ts";
import { eventually } from "../../../harness/eventually.ts";
import { labelFor } from "../../../harness/glass.ts";
import type { Served } from "../../../harness/served.ts";
import { bodyOf, writeItems, writeLabels } from "../../calls.ts";
import { manage } from "../../management/calls.ts";

/** The demo tenant's rules page. */
export const RULES = "/designer/rules?pack=shelf-prices";

const shop: readonly { itemId: string; itemName: string; price?: string; properties: Record<string, string> }[] = [
  { itemId: "milk", itemName: "Milk 3.5 %", price: "1.19", properties: { brand: "Dukat", priceKind: "regular" } },
  { itemId: "yogurt", itemName: "Yogurt", price: "0.79", properties: { brand: "Dukat", priceKind: "special" } },
  {
    itemId: "bread",
    itemName: "A dark bread with a name longer than most",
    price: "3.49",
    properties: { priceKind: "regular" },
  },
  { itemId: "figs", itemName: "Figs", properties: { brand: "Garden", priceKind: "regular" } },
  { itemId: "wine", itemName: "Wine", price: "12.99", properties: { brand: "Vineyard", priceKind: "regular" } },
];

/** Writes five items, and a label for each. */
export async function fillShop(shelfwire: Served): Promise<void> {
  await writeItems(shelfwire, shop);
  await writeLabels(
    shelfwire,
    shop.map(({ itemId }) => ({ barcode: labelFor(`rules ${itemId}`, "1328"), links: [{ itemId }] })),
  );
  // Another file's page may have counted the properties in the minute before.
  await eventually("the brands are counted", async () => {
    const { properties } = await bodyOf<ItemProperties>(await manage(shelfwire, "GET", "/item-properties"));
    return properties.some(({ name }) => name === "brand");
  });
}

/** A rule in the tree. */
export const ruleIn = (page: Page, name: string | RegExp) => page.getByRole("treeitem", { name });
