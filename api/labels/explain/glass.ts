import { type ItemOnGlass, itemsIn, withoutPrices } from "../../../schemas/glass.ts";
import { type EslImage, isUploaded, type PageImage } from "../../../schemas/image.ts";
import type { Item } from "../../../schemas/item.ts";
import { idOf } from "../../../schemas/keys.ts";
import type { Transmission } from "../../../schemas/label-state.ts";
import type { ExplanationFacts } from "./explanation-facts.ts";

/** What a page of a label shows, as acknowledged by the label. */
export interface GlassPage {
  page: number;
  image: string;
  deliveredAt: Date;
  /** A different picture has since been sent but not acknowledged, so the page may show either. */
  isUncertain: boolean;
  /** Whether it is the newest picture drawn for the label. */
  isNewest: boolean;
  isUploaded: boolean;
  /** The items in the picture; undefined if they are no longer known. */
  items: readonly ItemOnGlass[] | undefined;
}

type Facts = Pick<ExplanationFacts, "state" | "image" | "positions">;

/**
 * Returns what the pages of a label show. The inputs of a picture are taken from the record of the picture or of its
 * transmission. The current state of an item is used only if nothing is stale.
 */
export function glassOf({ state, image, positions }: Facts, isBehind: boolean): GlassPage[] {
  const present = new Map(
    isBehind ? [] : positions.flatMap(({ item }) => (item ? [[item.itemId, item] as const] : [])),
  );
  return (state?.shown ?? []).map((shown): GlassPage => {
    const isSame = (one: PageImage) => one.page === shown.page && one.image === shown.image;
    const newest = image?.pages.find(isSame);
    const sent = state?.sent.findLast(isSame);
    const made = newest ?? sent ?? shown;
    const ofSent = sent && itemsSent(sent);
    // A picture that was drawn again and looks the same is not sent again, so its record is newer than its transmission.
    const drawn = image && newest && !(isBehind && sent) ? itemsOf(image, ofSent ?? [], present) : ofSent;
    return {
      ...{ page: shown.page, image: shown.image, deliveredAt: shown.deliveredAt },
      isUncertain: shown.uncertain === true,
      // Until a transmitter takes over the picture, the state still names an earlier picture as wanted.
      isNewest: image ? newest !== undefined : state?.wanted.some(isSame) === true,
      isUploaded: isUploaded(made),
      items: drawn && isUploaded(made) ? withoutPrices(drawn) : drawn,
    };
  });
}

/** Records of earlier releases do not contain the prices of pictures. */
function itemsOf(
  { shows, fault, pages: [first] }: EslImage,
  sent: readonly ItemOnGlass[],
  present: ReadonlyMap<string, Item>,
): ItemOnGlass[] {
  if (first && isUploaded(first)) return shows.map(({ item, itemRev: rev }) => ({ itemId: idOf(item), rev }));
  if (fault && shows.length === 1) return [];
  return itemsIn(shows).map(({ itemId, rev, price }) => {
    const known = sent.find((one) => one.itemId === itemId)?.price ?? present.get(itemId)?.price;
    const drawn = price ?? known;
    return { itemId, rev, ...(drawn !== undefined && { price: drawn }) };
  });
}

/** In case of a fault, the label shows its background. */
const itemsSent = ({ content, fault }: Transmission): readonly ItemOnGlass[] =>
  fault !== undefined && content?.items.length === 1 ? [] : (content?.items ?? []);
