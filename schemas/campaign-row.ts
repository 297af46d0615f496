import type { Offer } from "./item.ts";

/** A row that begins what a campaign shows of an item, or ends it; later, if it has a time. */
export interface CampaignRow {
  itemId: string;
  /** Id of the campaign in its tenant. */
  campaign: string;
  /** `YYYY-MM-DD hh:mm:ss` in the store's time zone; absent if at once. */
  validFrom?: string;
  /** Set on the row that ends it; such a row has none of the values below. */
  ends?: true;
  price?: string;
  properties?: Record<string, string>;
  designId?: string;
}

/** The offer that a row begins. */
export const offerOf = (
  { campaign, price, properties = {}, designId }: Omit<CampaignRow, "itemId" | "validFrom" | "ends">,
  stamp: number,
): Offer => ({
  campaign,
  stamp,
  ...(price !== undefined && { price }),
  properties: Object.entries(properties).map(([key, value]) => ({ key, value })),
  ...(designId !== undefined && { designId }),
});
