import type { TrialItem } from "./preview.ts";

/** An item to try a design with; `why` names what makes it hard, and is absent for an ordinary one. */
export interface HardItem {
  item: TrialItem;
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
  "manyWords",
  "lowPrice",
  "highPrice",
  "nothing",
] as const;
export type HardReason = (typeof hardReasons)[number];

const NAMES: readonly (readonly [HardReason, string])[] = [
  ["longWord", "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen 1,5 l"],
  ["rareLetters", "Żółć Őszibarack Türk çığ Čevapčići Øl Ærø Ňufák ẞ 12 × 0,33 l"],
  ["manyWords", "a la crème de la crème du lait de la vache et de la brebis à 3,5 % 4 x 125 g"],
];
const PRICES: readonly (readonly [HardReason, string])[] = [
  ["lowPrice", "0.01"],
  ["highPrice", "99999.99"],
];

/**
 * The items that are hardest to draw (docs/designs/README.md): the shortest and the longest name, the highest price, the
 * most and the fewest properties, the first item with stress texts and extreme prices, and one with nothing but its id.
 */
export function hardItems(items: readonly TrialItem[]): HardItem[] {
  const [first] = items;
  if (first === undefined) return [];
  const most = (measure: (item: TrialItem) => number): TrialItem =>
    items.reduce((found, item) => (measure(item) > measure(found) ? item : found), first);
  const nameLength = ({ itemName = "" }: TrialItem): number => itemName.length;
  const count = ({ properties = {} }: TrialItem): number => Object.keys(properties).length;
  const real: HardItem[] = [
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
    ...NAMES.map(([why, itemName]): HardItem => ({ why, item: { ...first, itemName } })),
    ...PRICES.map(([why, price]): HardItem => ({ why, item: { ...first, price } })),
    { why: "nothing", item: { itemId: first.itemId } },
  ];
}
