import type { Offer } from "./item.ts";

/** A row that begins or ends a campaign for an item, at the time in `validFrom`, or immediately. */
export interface CampaignRow {
  itemId: string;
  /** Id of the campaign in its tenant. */
  campaign: string;
  /** `YYYY-MM-DD hh:mm:ss` in the store's time zone; absent if immediately. */
  validFrom?: string;
  /** Set on the row that ends the campaign; such a row has none of the values below. */
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
