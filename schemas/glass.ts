import { type Static, Type } from "typebox";
import type { Shown } from "./image.ts";
import { idOf } from "./keys.ts";

/** An item on the glass: its price as it was drawn, and the rev of the item that the picture was made from. */
export const ItemOnGlass = Type.Object({
  itemId: Type.String(),
  price: Type.Optional(Type.String()),
  rev: Type.Integer(),
});
export type ItemOnGlass = Static<typeof ItemOnGlass>;

/** What a picture shows, beside its pixels. */
export const Content = Type.Object({
  items: Type.Array(ItemOnGlass),
  /** The newest change that it shows, of its items, links, designs, rules, page images and the like, in milliseconds. */
  changedAt: Type.Integer(),
});
export type Content = Static<typeof Content>;

/** The content of a drawn picture; undefined of one that shows no item. */
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
  };
}

/** The items that are drawn in a picture. */
export const itemsIn = (shows: readonly Shown[]): ItemOnGlass[] =>
  shows
    .filter(({ leftOut }) => leftOut === undefined)
    .map(({ item, itemRev: rev, price }) => ({ itemId: idOf(item), ...(price !== undefined && { price }), rev }));

/** The items of an uploaded image, of which nobody knows which price it shows. */
export const withoutPrices = (items: readonly ItemOnGlass[]): ItemOnGlass[] =>
  items.map(({ price: _, ...item }) => item);
