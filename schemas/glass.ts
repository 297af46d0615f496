import { hash } from "node:crypto";
import { type Static, Type } from "typebox";
import { DrawnBy, type Shown } from "./image.ts";
import { idOf } from "./keys.ts";

/** An item on the glass: its price as drawn, the rev of the item from which the picture was made, and what drew it. */
export const ItemOnGlass = Type.Object({
  itemId: Type.String(),
  price: Type.Optional(Type.String()),
  rev: Type.Integer(),
  /** Id of the design. */
  design: Type.Optional(Type.String()),
  drawnBy: Type.Optional(DrawnBy),
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
   * A digest of all that it was made from except the revs and versions of designs and rules: with equal ones, nothing but the design itself differs. Records of
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
      JSON.stringify(shows.map(({ designRev: _, drawnBy: __, ...made }) => Object.entries(made).sort())),
    ).slice(0, DIGEST_LENGTH),
  };
}

/** The items that are drawn in a picture. */
export const itemsIn = (shows: readonly Shown[]): ItemOnGlass[] =>
  shows
    .filter(({ leftOut }) => leftOut === undefined)
    .map(({ item, itemRev: rev, price, design, drawnBy }) => ({
      itemId: idOf(item),
      ...(price !== undefined && { price }),
      rev,
      ...(drawnBy && { ...(design !== undefined && { design: idOf(design) }), drawnBy }),
    }));

/** The items of an uploaded image; the price that it shows is unknown, and no design drew it. */
export const withoutPrices = (items: readonly ItemOnGlass[]): ItemOnGlass[] =>
  items.map(({ itemId, rev }) => ({ itemId, rev }));

/** The picture of a transmission to a page of a label. */
export interface GlassPicture {
  /** SHA-256 of the pixels. */
  image: string;
  /** Transmission number: when it began by Shelfwire's clock, in milliseconds (`domain/labels/retry.ts`). */
  transmission: number;
  /** Empty if the picture shows no item. */
  items: readonly ItemOnGlass[];
  /** An uploaded image, whose content is unknown. */
  uploaded?: true;
  /** Why the picture is the label's background. */
  fault?: string;
}

/** A picture that a label has acknowledged, with what it shows. Entries of earlier releases lack what a proof adds. */
export interface GlassEntry extends GlassPicture {
  /** Key of the label. */
  label: string;
  /** Key of the store. */
  store: string;
  page: number;
  /** When it was delivered, by the label server. */
  at: Date;
  /** From the latest change that it shows to its acknowledgement; absent if the page showed it already. */
  tookMs?: number;
  /** When its report was received, by the database's clock. */
  receivedAt?: Date;
  /** Id of the label server that reported it; absent for the installation's. */
  server?: string;
  /** The second of the switch for which the label kept it, by Shelfwire's clock. */
  showAt?: Date;
  /** The transmission that the page was known to show before; absent if that was unknown. */
  follows?: number;
  /** That one, if the page had shown it for so long that its own entry may expire before this one. */
  before?: GlassPicture & Pick<GlassEntry, "at" | "receivedAt">;
  /** Other pictures that were sent to the page since then and of which no report had come: it may have shown them. */
  unreported?: readonly GlassPicture[];
  /** Since when there may be more of them than are known; absent if all are known. */
  unreportedSince?: Date;
}
