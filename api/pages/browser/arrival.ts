/** The fields of a label's explanation that the page uses. */
export interface Explained {
  cause: string;
  glass: {
    isWanted: boolean;
    isUploaded: boolean;
    items: { itemId: string; price: string | null; rev: number }[] | null;
  }[];
  positions: {
    item: {
      itemId: string;
      price: string | null;
      rev: number;
      campaign?: { regularPrice: string | null } | null;
    } | null;
  }[];
}

export type Arrival = "waiting" | "arrived" | "later" | "overtaken" | "hidden" | "faulty";

/**
 * Whether an item's stored price is on the label, that is, whether the picture that the label acknowledged was made
 * from the item in its current state. The look of a picture proves nothing: a different price may look the same, and a
 * picture may change for a different reason. While a campaign shows its own price, a regular price arrives later.
 */
export function arrivalOf({ cause, glass, positions }: Explained, itemId: string, price: string): Arrival {
  const item = positions.find((one) => one.item?.itemId === itemId)?.item;
  if (item?.campaign && item.campaign.regularPrice === price) return "later";
  if (item?.price !== price) return "overtaken";
  const shown = glass.filter(({ isWanted }) => isWanted).flatMap(({ items }) => items ?? []);
  if (shown.some((one) => one.itemId === itemId && one.price === price && one.rev >= item.rev)) return "arrived";
  if (cause === "PICTURE_FAULT") return "faulty";
  return cause === "UP_TO_DATE" && glass.some(({ isUploaded }) => isUploaded) ? "hidden" : "waiting";
}
