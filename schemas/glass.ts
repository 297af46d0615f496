import { hash } from "node:crypto";
import { type Static, Type } from "typebox";
import { DrawnBy, type Shown } from "./image.ts";
import { idOf } from "./keys.ts";

/** An item on the glass: its price as drawn, the rev from which the picture was made, and what drew it. */
export const ItemOnGlass = Type.Object({
  itemId: Type.String(),
  price: Type.Optional(Type.String()),
  rev: Type.Integer(),
  /** Id of the design. */
  design: Type.Optional(Type.String()),
  drawnBy: Type.Optional(DrawnBy),
});
export type ItemOnGlass = Static<typeof ItemOnGlass>;

/**
 * Length of a digest in hexadecimal digits. It is short, so that states stay small. A collision, with a chance of one in 2^48,
 * delays a price until the quiet hours end.
 */
const DIGEST_LENGTH = 12;

/** What a picture shows, apart from its pixels. */
export const Content = Type.Object({
  items: Type.Array(ItemOnGlass),
  /** Time of the newest change that it reflects, among its items, links, designs, rules and page images, in milliseconds. */
  changedAt: Type.Integer(),
  /**
   * Digest of everything it was made from, except revs and versions of designs and rules: two contents with equal digests
   * differ at most in their design. Absent from records of earlier releases.
   */
  madeFrom: Type.Optional(Type.String()),
});
export type Content = Static<typeof Content>;

/** Returns the content of a drawn picture; undefined if it shows no item. */
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

/** Returns the items of an uploaded image, without prices and designs: its price is unknown, and no design drew it. */
export const withoutPrices = (items: readonly ItemOnGlass[]): ItemOnGlass[] =>
  items.map(({ itemId, rev }) => ({ itemId, rev }));

/** The picture that a transmission sent to a label's page. */
export interface GlassPicture {
  /** SHA-256 of the pixels. */
  image: string;
  /** Transmission number: when it began by Shelfwire's clock, in milliseconds (`domain/labels/retry-waits.ts`). */
  transmission: number;
  /** Empty if the picture shows no item. */
  items: readonly ItemOnGlass[];
  /** An uploaded image, whose content is unknown. */
  uploaded?: true;
  /** Why the picture is the label's background. */
  fault?: string;
}

/**
 * A picture that a label has acknowledged, with its content. Entries of earlier releases lack the fields that were added for
 * proofs.
 */
export interface GlassEntry extends GlassPicture {
  /** Key of the label. */
  label: string;
  /** Key of the store. */
  store: string;
  page: number;
  /** When it was delivered, by the label server's clock. */
  at: Date;
  /** Milliseconds from the latest change that it shows to its acknowledgement; absent if the page already showed it. */
  tookMs?: number;
  /** When its report was received, by the database's clock. */
  receivedAt?: Date;
  /** Id of the label server that reported it; absent for the installation's own. */
  server?: string;
  /** Time of the switch for which the label stored the picture, by Shelfwire's clock, in whole seconds. */
  showAt?: Date;
  /** The transmission that the page was known to show before; absent if unknown. */
  follows?: number;
  /** The picture of `follows`, if the page had shown it for so long that its own entry may expire before this one. */
  before?: GlassPicture & Pick<GlassEntry, "at" | "receivedAt">;
  /** Other pictures that were sent to the page since then without a report: the page may have shown them. */
  unreported?: readonly GlassPicture[];
  /** Time since which there may be more such pictures than are known; absent if all are known. */
  unreportedSince?: Date;
}
