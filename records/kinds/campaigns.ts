import { Campaign, CampaignPart } from "../../schemas/campaign.ts";
import { recordKind } from "../kind.ts";

export const campaigns = recordKind("campaign", Campaign, {
  // Only campaigns with something left to do.
  indexes: [{ keys: { due: 1 }, sparse: true }],
});

/** A campaign's part in each of its stores. */
export const campaignParts = recordKind("campaignpart", CampaignPart);
