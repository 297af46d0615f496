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

/** Returns what expressions read from an item: its fields, unless a property has the same name. */
export function propertiesOf(item: ShopItem): ReadonlyMap<string, string> {
  const own = ownFields.flatMap((name): [string, string][] => (item[name] ? [[name, item[name]]] : []));
  return new Map([...own, ...Object.entries(item.properties).filter(([, value]) => value !== "")]);
}

/** Returns a property's name as people read it: `priceKind` is "price kind". */
export const spokenName = (key: string): string =>
  key
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .replace(/_+/g, " ")
    .toLowerCase();
