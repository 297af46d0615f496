/** The fields by which hard items are chosen, in the form that the pages or the database use. */
interface Described {
  itemId: string;
  itemName?: string;
  price?: string;
  properties?: object;
}

/** An item for testing a design. `why` says what makes it hard to draw, and is absent for an ordinary item. */
export interface HardItem<Item> {
  item: Item;
  why?: HardReason;
}

export const hardReasons = [
  "shortestName",
  "longestName",
  "highestPrice",
  "mostProperties",
  "fewestProperties",
  "longWord",
  "rareLetters",
  "otherAlphabets",
  "manyWords",
  "oneLetter",
  "lowPrice",
  "roundPrice",
  "highPrice",
  "nothing",
] as const;
export type HardReason = (typeof hardReasons)[number];

/** Names that cause text to be broken, shrunk or cut, and names with rare letters. */
const NAMES: readonly (readonly [HardReason, string])[] = [
  ["longWord", "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen 1,5 l"],
  ["rareLetters", "Żółć Őszibarack Türk çığ Čevapčići Øl Ærø Ňufák ẞ 12 × 0,33 l"],
  ["otherAlphabets", "Ελληνικό γιαούρτι 2 % Кисело мляко 400 г"],
  ["manyWords", "a la crème de la crème du lait de la vache et de la brebis à 3,5 % 4 x 125 g"],
  ["oneLetter", "I"],
];
const PRICES: readonly (readonly [HardReason, string])[] = [
  ["lowPrice", "0.01"],
  ["roundPrice", "1.00"],
  ["highPrice", "99999.99"],
];

/**
 * Returns the items that are hardest to draw (docs/designs/README.md), each once: those with the shortest and the longest
 * name, the highest price, the most and the fewest properties. They are followed by copies of the first item with stress names
 * and extreme prices, and by an item `bare` that has only an id.
 */
export function hardItems<Item extends Described>(
  items: readonly Item[],
  bare: (itemId: string) => Item,
): HardItem<Item>[] {
  const [first] = items;
  if (first === undefined) return [];
  const most = (measure: (item: Item) => number): Item =>
    items.reduce((found, item) => (measure(item) > measure(found) ? item : found), first);
  const nameLength = ({ itemName = "" }: Item): number => itemName.length;
  // The properties may be a record or a list.
  const count = ({ properties = {} }: Item): number => Object.keys(properties).length;
  const real: HardItem<Item>[] = [
    { why: "longestName", item: most(nameLength) },
    { why: "highestPrice", item: most(({ price = "" }) => Number(price)) },
    { why: "shortestName", item: most((item) => -nameLength(item)) },
    { why: "mostProperties", item: most(count) },
    { why: "fewestProperties", item: most((item) => -count(item)) },
  ];
  const seen = new Set<string>();
  const distinct = real.filter(({ item }) => !seen.has(item.itemId) && seen.add(item.itemId));
  return [
    ...distinct,
    ...NAMES.map(([why, itemName]): HardItem<Item> => ({ why, item: { ...first, itemName } })),
    ...PRICES.map(([why, price]): HardItem<Item> => ({ why, item: { ...first, price } })),
    { why: "nothing", item: bare(first.itemId) },
  ];
}
