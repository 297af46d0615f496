import { propertiesOf, type ShopItem } from "./shop.ts";

/** An item that rules are tried with, and why it is interesting. */
export interface Case {
  reason: "lacks" | "longest" | "special" | "unpriced" | "pinned" | "usual";
  /** For `lacks`: the property that the item lacks. */
  property?: string;
  itemId: string;
}

/** Maximum number of missing properties: more would fill the page. */
const MAX_LACKING = 3;

/**
 * Returns the items on which rules are likely to go wrong: an item without a property that a rule reads, the longest
 * name, a special price, no price; and a typical item. Each item is returned once. Items on labels take precedence.
 */
export function hardCases(
  items: readonly ShopItem[],
  read: readonly string[],
  isOnLabel: (item: ShopItem) => boolean,
): Case[] {
  const inOrder = [...items].sort((a, b) => Number(isOnLabel(b)) - Number(isOnLabel(a)));
  const cases: Case[] = [];
  const add = (item: ShopItem | undefined, about: Omit<Case, "itemId">): void => {
    if (item !== undefined && !cases.some(({ itemId }) => itemId === item.itemId))
      cases.push({ ...about, itemId: item.itemId });
  };
  const nameLength = ({ itemName }: ShopItem) => itemName?.length ?? 0;
  const longest = inOrder.reduce<ShopItem | undefined>(
    (found, item) => (found === undefined || nameLength(item) > nameLength(found) ? item : found),
    undefined,
  );
  add(
    inOrder.find(({ properties }) => properties.priceKind === "special"),
    { reason: "special" },
  );
  add(
    inOrder.find(({ price }) => !price),
    { reason: "unpriced" },
  );
  for (const property of read.filter((name) => name !== "price").slice(0, MAX_LACKING))
    add(
      inOrder.find((item) => !propertiesOf(item).has(property) && item.price),
      { reason: "lacks", property },
    );
  add(longest, { reason: "longest" });
  add(inOrder[0], { reason: "usual" });
  return cases;
}
