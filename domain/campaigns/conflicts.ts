import type { CampaignPart } from "../../schemas/campaign.ts";
import type { CampaignConflict } from "../../schemas/campaign-answers.ts";

/** A campaign in one store, with its start and end in epoch milliseconds. */
export interface RunningCampaign {
  campaignId: string;
  name: string;
  begins: number;
  ends: number;
  items: CampaignPart["items"];
  /** The request that begins the campaign. Absent while it is a draft. */
  requestId?: number | undefined;
}

/** A scheduled change to an item's regular price. */
export interface PriceChange {
  itemId: string;
  at: number;
  price: string;
}

type Found = Omit<CampaignConflict, "storeId">;

/** Returns the other price changes of a campaign's items in a store while the campaign runs. */
export function conflictsOf(
  own: RunningCampaign,
  others: readonly RunningCampaign[],
  changes: readonly PriceChange[],
): Found[] {
  const ids = new Set(own.items.map(({ itemId }) => itemId));
  const ofCampaigns = others
    .filter((other) => isMeanwhile(other, own))
    .flatMap((other) =>
      other.items
        .filter(({ itemId }) => ids.has(itemId))
        .map(
          ({ itemId, price = null }): Found => ({
            kind: "CAMPAIGN",
            ...{ itemId, campaignId: other.campaignId, name: other.name, price },
            from: textOf(other.begins),
            until: textOf(other.ends),
            wins: isShownAbove(other, own),
          }),
        ),
    );
  const ofChanges = changes
    .filter(({ itemId, at }) => ids.has(itemId) && own.begins <= at && at < own.ends)
    .map(
      ({ itemId, at, price }): Found => ({
        kind: "SCHEDULED_CHANGE",
        ...{ itemId, campaignId: null, name: null, price, until: null, wins: false },
        from: textOf(at),
      }),
    );
  return [...ofCampaigns, ...ofChanges];
}

/** Whether two campaigns run at the same time. */
export const isMeanwhile = (other: RunningCampaign, own: RunningCampaign): boolean =>
  other.campaignId !== own.campaignId && other.begins < own.ends && own.begins < other.ends;

/**
 * Whether a campaign takes precedence over the other. The campaign that begins later does; if both begin at the same time, the
 * campaign that was scheduled later does. `beginOffer` orders offers in the same way, by their stamps.
 */
const isShownAbove = (other: RunningCampaign, own: RunningCampaign): boolean =>
  other.begins === own.begins
    ? (other.requestId ?? 0) > (own.requestId ?? Number.MAX_SAFE_INTEGER)
    : other.begins > own.begins;

const textOf = (at: number): string => new Date(at).toISOString();
