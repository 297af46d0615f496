import type { Canvas } from "../document/document.ts";
import type { TrialItem } from "../trial/preview-shapes.ts";

/** Fields of an item that are not properties. */
const FIELDS: ReadonlySet<string> = new Set(["itemId", "itemName", "price", "itemGroup", "department", "presentation"]);

/** A value for each property that templates show, except `pictogram`, which names an image of the retailer. */
const properties = {
  ...{ quantity: "1 l", unitPrice: "2.49", lowestPrice30: "3.29", loyaltyPrice: "1.99", deposit: "0.25" },
  ...{ plu: "4011", origin: "Hrvatska", quality: "I", vintage: "2021", grape: "Graševina" },
  ...{ itemName2: "Apfelsaft naturtrüb 1 l", ean: "3850334043641" },
} as const;

/**
 * Returns an item to show a template with: the store's first item with all properties that the template shows, otherwise
 * a sample.
 */
export function sampleItem(canvas: Canvas, items: readonly TrialItem[], name: string): TrialItem {
  const shown = propertiesIn(canvas);
  const isComplete = ({ itemName, price, properties: own = {} }: TrialItem): boolean =>
    itemName !== undefined && price !== undefined && shown.every((property) => own[property] !== undefined);
  return items.find(isComplete) ?? { itemId: "0000000", itemName: name, price: "2.49", properties };
}

/** Returns the item properties that a design's expressions name. */
function propertiesIn(canvas: Canvas): string[] {
  const names = [...JSON.stringify(canvas).matchAll(/\bitem\.([A-Za-z_]\w*)/g)].map(([, name = ""]) => name);
  return [...new Set(names)].filter((name) => !FIELDS.has(name));
}
