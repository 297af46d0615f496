import type { Field } from "./sentence/sentence.ts";

/** An item of the store, as rules read it. */
export interface ShopItem {
  itemId: string;
  itemName: string | null;
  price: string | null;
  itemGroup: string | null;
  department: string | null;
  presentation: string | null;
  properties: Readonly<Record<string, string>>;
}

const ownFields = ["itemId", "itemName", "price", "itemGroup", "department", "presentation"] as const;

/** What expressions read of an item: its fields, unless a property has that name. */
export function propertiesOf(item: ShopItem): ReadonlyMap<string, string> {
  const own = ownFields.flatMap((name): [string, string][] => (item[name] ? [[name, item[name]]] : []));
  return new Map([...own, ...Object.entries(item.properties).filter(([, value]) => value !== "")]);
}

/** A property of the items, as conditions are completed from it. */
export interface Known {
  field: Field;
  /** How many items have it. */
  count: number;
  /** Its most frequent values. */
  values: readonly string[];
  isNumeric: boolean;
}

const MAX_VALUES = 30;
const NUMBER = /^-?\d+(?:\.\d+)?$/;

/** The properties that items have, the most frequent first, with their values. */
export function catalogueOf(items: readonly ShopItem[]): Known[] {
  const counts = new Map<string, Map<string, number>>();
  for (const item of items)
    for (const [key, value] of propertiesOf(item)) {
      const values = counts.get(key) ?? new Map<string, number>();
      values.set(value, (values.get(value) ?? 0) + 1);
      counts.set(key, values);
    }
  return [...counts]
    .map(([key, values]): Known => {
      const inOrder = [...values].sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0]));
      return {
        field: { root: "item", key },
        count: inOrder.reduce((sum, [, count]) => sum + count, 0),
        values: inOrder.slice(0, MAX_VALUES).map(([value]) => value),
        isNumeric: key !== "itemId" && inOrder.every(([value]) => NUMBER.test(value)),
      };
    })
    .sort((a, b) => b.count - a.count || a.field.key.localeCompare(b.field.key));
}

/** A name of a property as people read it: `priceKind` is "price kind". */
export const spokenName = (key: string): string =>
  key
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .replace(/_+/g, " ")
    .toLowerCase();
