import type { Campaign, CampaignPart } from "../../schemas/campaign.ts";
import type { CampaignRow } from "../../schemas/campaign-row.ts";

type Shown = Pick<Campaign, "from" | "until" | "properties" | "designId">;

/** Returns the rows that begin a campaign for a store's items, each followed by the row that ends it. */
export function rowsOfCampaign(id: string, campaign: Shown, items: CampaignPart["items"]): CampaignRow[] {
  const { from, until, properties, designId } = campaign;
  const shown = { ...(properties && { properties }), ...(designId !== undefined && { designId }) };
  return items.flatMap(({ itemId, price }): CampaignRow[] => [
    {
      ...{ itemId, campaign: id },
      ...(price !== undefined && { price }),
      ...shown,
      ...(from !== undefined && { validFrom: from }),
    },
    { itemId, campaign: id, ends: true, validFrom: until },
  ]);
}

/** Returns the rows that end the campaign immediately. */
export const rowsOfCancellation = (id: string, items: CampaignPart["items"]): CampaignRow[] =>
  items.map(({ itemId }) => ({ itemId, campaign: id, ends: true }));
