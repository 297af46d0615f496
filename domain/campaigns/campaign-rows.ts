import type { Campaign, CampaignPart } from "../../schemas/campaign.ts";
import type { CampaignRow } from "../../schemas/campaign-row.ts";

type Shown = Pick<Campaign, "from" | "until" | "properties" | "designId">;

/** The rows that begin a campaign for the items of a store, each followed by the one that ends it. */
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

/** The rows that end it at once. */
export const rowsOfCancellation = (id: string, items: CampaignPart["items"]): CampaignRow[] =>
  items.map(({ itemId }) => ({ itemId, campaign: id, ends: true }));
