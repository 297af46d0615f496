import type { Canvas } from "../document/document.ts";
import type { TrialItem } from "../trial/preview.ts";

/** Fields of an item that are no properties. */
const FIELDS: ReadonlySet<string> = new Set(["itemId", "itemName", "price", "itemGroup", "department", "presentation"]);

/** A value of each property that templates show, but of `pictogram`, which names an image of the retailer. */
const properties = {
  ...{ quantity: "1 l", unitPrice: "2.49", lowestPrice30: "3.29", loyaltyPrice: "1.99", deposit: "0.25" },
  ...{ plu: "4011", origin: "Hrvatska", quality: "I", vintage: "2021", grape: "Graševina" },
  ...{ itemName2: "Apfelsaft naturtrüb 1 l", ean: "3850334043641" },
} as const;

/** An item to show a template with: the first of the store that has all properties that it shows, or else a sample. */
export function sampleItem(canvas: Canvas, items: readonly TrialItem[], name: string): TrialItem {
  const shown = propertiesIn(canvas);
  const isComplete = ({ itemName, price, properties: own = {} }: TrialItem): boolean =>
    itemName !== undefined && price !== undefined && shown.every((property) => own[property] !== undefined);
  return items.find(isComplete) ?? { itemId: "0000000", itemName: name, price: "2.49", properties };
}

/** The properties of items that the expressions of a design name. */
function propertiesIn(canvas: Canvas): string[] {
  const names = [...JSON.stringify(canvas).matchAll(/\bitem\.([A-Za-z_]\w*)/g)].map(([, name = ""]) => name);
  return [...new Set(names)].filter((name) => !FIELDS.has(name));
}
