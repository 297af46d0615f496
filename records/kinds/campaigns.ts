import { Campaign, CampaignPart } from "../../schemas/campaign.ts";
import { recordKind } from "../kind.ts";

export const campaigns = recordKind("campaign", Campaign, {
  // Only campaigns with something left to do.
  indexes: [{ keys: { due: 1 }, sparse: true }],
});

/** In each store of a campaign. */
export const campaignParts = recordKind("campaignpart", CampaignPart);
