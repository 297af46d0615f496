import type { Item } from "../../../schemas/item.ts";

/** An item to draw, and what makes it hard. */
export interface HardItem {
  item: Item;
  why?: string;
}

/** Names that break, shrink and cut texts, and whose letters are rare. */
const NAMES = [
  ["a long word", "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen 1,5 l"],
  ["rare letters", "Żółć Őszibarack Türk çığ Čevapčići Øl Ærø Ňufák ẞ 12 × 0,33 l"],
  ["Greek and Cyrillic", "Ελληνικό γιαούρτι 2 % Кисело мляко 400 г"],
  ["many short words", "a la crème de la crème du lait de la vache et de la brebis à 3,5 % 4 x 125 g"],
  ["one letter", "I"],
] as const;
const PRICES = ["0.01", "1.00", "99999.99"];

/**
 * The real items that are hardest to draw: the shortest and the longest name, the highest price, the most and the
 * fewest properties; then the first item with stress texts, with extreme prices, and with nothing but its id.
 */
export function hardItems(items: readonly Item[]): HardItem[] {
  const [first] = items;
  if (first === undefined) return [];
  const most = (measure: (item: Item) => number): Item =>
    items.reduce((found, item) => (measure(item) > measure(found) ? item : found), first);
  const lengthOf = ({ itemName = "" }: Item): number => itemName.length;
  const real: HardItem[] = [
    { why: "shortest name", item: most((item) => -lengthOf(item)) },
    { why: "longest name", item: most(lengthOf) },
    { why: "highest price", item: most(({ price = "" }) => Number(price)) },
    { why: "most properties", item: most(({ properties }) => properties.length) },
    { why: "fewest properties", item: most(({ properties }) => -properties.length) },
  ];
  const { itemName: _, price: __, itemGroup: ___, department: ____, presentation: _____, ...bare } = first;
  return [
    ...real,
    ...NAMES.map(([why, itemName]) => ({ why, item: { ...first, itemName } })),
    ...PRICES.map((price) => ({ why: `price ${price}`, item: { ...first, price } })),
    { why: "nothing but its id", item: { ...bare, properties: [] } },
  ];
}
