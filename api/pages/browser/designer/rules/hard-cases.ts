import { propertiesOf, type ShopItem } from "./shop.ts";

/** An item by which rules are tried, and why it is worth a look. */
export interface Case {
  reason: "lacks" | "longest" | "special" | "unpriced" | "pinned" | "usual";
  /** Of `lacks`: the property that the item lacks. */
  property?: string;
  itemId: string;
}

/** More properties than these would fill the page. */
const MAX_LACKING = 3;

/** The names of properties of the item that expressions read. */
export function readProperties(expressions: readonly string[]): string[] {
  return [...new Set(expressions.flatMap((source) => [...namesAfterDot(source), ...namesInQuotes(source)]))];
}

/** A text in quotes, whether it ends or not. */
const quotedText = /"(?:[^"\\]|\\[\s\S])*"?/g;

const namesAfterDot = (source: string): string[] =>
  [...source.replaceAll(quotedText, '""').matchAll(/\bitem\.([A-Za-z_]\w*)/g)].map(([, name = ""]) => name);

/** The names in `item["name"]` and in `"name" in item`. */
const namesInQuotes = (source: string): string[] =>
  [...source.matchAll(quotedText)].flatMap(({ 0: text, index }) => {
    const after = source.slice(index + text.length);
    const isRead = (source.slice(0, index).endsWith("item[") && after.startsWith("]")) || after.startsWith(" in item");
    return isRead ? [text.slice(1, -1)] : [];
  });

/**
 * The items on which rules are likely to go wrong: one that lacks a property that a rule reads, the longest name, a
 * special price, no price; and one like most others. Each item once. Items on labels come first.
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
