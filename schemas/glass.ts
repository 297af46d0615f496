import { hash } from "node:crypto";
import { type Static, Type } from "typebox";
import type { Shown } from "./image.ts";
import { idOf } from "./keys.ts";

/** An item on the glass: its price as drawn, and the rev of the item from which the picture was made. */
export const ItemOnGlass = Type.Object({
  itemId: Type.String(),
  price: Type.Optional(Type.String()),
  rev: Type.Integer(),
});
export type ItemOnGlass = Static<typeof ItemOnGlass>;

/** So short that states stay small; a chance of one in 2^48 delays a price until the morning. */
const DIGEST_LENGTH = 12;

/** What a picture shows, apart from its pixels. */
export const Content = Type.Object({
  items: Type.Array(ItemOnGlass),
  /** The newest change that it reflects, among its items, links, designs, rules and page images, in milliseconds. */
  changedAt: Type.Integer(),
  /**
   * A digest of all that it was made from except the revs of designs: with equal ones, nothing but the design itself differs. Records of
   * earlier releases lack it.
   */
  madeFrom: Type.Optional(Type.String()),
});
export type Content = Static<typeof Content>;

/** The content of a drawn picture; undefined if it shows no item. */
export function contentOf(shows: readonly Shown[]): Content | undefined {
  if (shows.length === 0) return undefined;
  return {
    items: itemsIn(shows),
    changedAt: Math.max(
      ...shows.flatMap(({ linkRev, itemRev, pagesRev = 0, designRev = 0, otherRev = 0 }) => [
        linkRev,
        itemRev,
        pagesRev,
        designRev,
        otherRev,
      ]),
    ),
    madeFrom: hash(
      "sha256",
      JSON.stringify(shows.map(({ designRev: _, ...made }) => Object.entries(made).sort())),
    ).slice(0, DIGEST_LENGTH),
  };
}

/** The items that are drawn in a picture. */
export const itemsIn = (shows: readonly Shown[]): ItemOnGlass[] =>
  shows
    .filter(({ leftOut }) => leftOut === undefined)
    .map(({ item, itemRev: rev, price }) => ({ itemId: idOf(item), ...(price !== undefined && { price }), rev }));

/** The items of an uploaded image; the price that it shows is unknown. */
export const withoutPrices = (items: readonly ItemOnGlass[]): ItemOnGlass[] =>
  items.map(({ price: _, ...item }) => item);
