/** The fields of a label's explanation that are used. */
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
 * Whether a stored price of an item is on the label: the picture that it acknowledged was made from the item in its
 * current state. The appearance of the picture does not show it: another price may look the same, and a picture that
 * changes may be due to another change. While a campaign shows its own price, a regular one comes later.
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
