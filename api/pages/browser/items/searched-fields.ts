import { folded } from "../search/fold.ts";

/** An item as the interface returns it, without its links. */
export interface ItemAnswer {
  itemId: string;
  itemName: string | null;
  price: string | null;
  itemGroup: string | null;
  department: string | null;
  presentation: string | null;
  validFrom: string | null;
  sics: string[];
  properties: Record<string, string>;
}

/** Returns the words that a search compares, without case and accents. */
export const wordsOf = ({ itemId, itemName, itemGroup, department, sics }: ItemAnswer): string =>
  folded([itemId, itemName, itemGroup, department, ...sics].filter(Boolean).join(" "));
