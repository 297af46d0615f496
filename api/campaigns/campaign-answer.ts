import { stateOf } from "../../domain/campaigns/campaign-state.ts";
import type { Campaign, CampaignPart } from "../../schemas/campaign.ts";
import type { CampaignAnswer, CampaignSummary } from "../../schemas/campaign-answers.ts";
import type { HoldState } from "../../schemas/held-request.ts";
import { idOf, storeIds } from "../../schemas/keys.ts";
import type { Stored } from "../../schemas/record.ts";

/** A campaign in a list. */
export const campaignSummary = (campaign: Stored<Campaign>, now: Date): CampaignSummary => ({
  campaignId: idOf(campaign._id),
  state: stateOf(campaign, now),
  name: campaign.name,
  from: campaign.from ?? null,
  until: campaign.until,
  storeIds: campaign.storeIds,
  begins: campaign.begins?.toISOString() ?? null,
  ends: campaign.ends?.toISOString() ?? null,
  itemCount: campaign.counts?.items ?? null,
  leftOut: campaign.counts?.leftOut ?? null,
  createdAt: campaign.createdAt.toISOString(),
  createdBy: campaign.createdBy,
  isUnderWay: campaign.due !== undefined,
});

/** A campaign's effects in a store, and the decision about its request if the request is held. */
export interface PartAnswer {
  store: string;
  part: CampaignPart;
  held: HoldState | null;
}

/** A campaign with its items and its outcome in these stores. */
export const campaignAnswer = (
  campaign: Stored<Campaign>,
  parts: readonly PartAnswer[],
  now: Date,
): CampaignAnswer => ({
  ...campaignSummary(campaign, now),
  items: campaign.items ?? [],
  filter: campaign.filter ?? null,
  prices: campaign.prices ?? null,
  properties: campaign.properties ?? {},
  designId: campaign.designId ?? null,
  stores: parts.map(({ store, part, held }) => ({
    storeId: storeIds(store).storeId,
    items: part.items.length,
    leftOut: part.leftOut,
    requestId: part.requestId ?? null,
    held,
    cancelledBy: part.cancelledBy ?? null,
  })),
});
