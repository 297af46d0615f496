import { periodIn } from "../../domain/campaigns/campaign-period.ts";
import { conflictsOf, isMeanwhile, type PriceChange, type RunningCampaign } from "../../domain/campaigns/conflicts.ts";
import { campaignParts } from "../../records/kinds/campaigns.ts";
import { schedules } from "../../records/kinds/items.ts";
import type { Campaign, CampaignPart } from "../../schemas/campaign.ts";
import type { CampaignConflicts } from "../../schemas/campaign-answers.ts";
import { inBatches } from "../../schemas/in-batches.ts";
import type { ItemPatch } from "../../schemas/item.ts";
import { campaignPartKey, idOf, itemKey, storeIds, tenantOf } from "../../schemas/keys.ts";
import type { Stored } from "../../schemas/record.ts";
import type { Schedule } from "../../schemas/schedule.ts";
import type { StoreRecord } from "../../schemas/store.ts";
import type { CampaignStore } from "./campaign-store.ts";
import { type ResolveWorld, resolveItems } from "./resolve-items.ts";

export interface ConflictsWorld extends ResolveWorld {
  databaseNow(): Date;
}

/**
 * Limits of a call: conflicts returned; items of other campaigns compared, over all stores; and other campaigns read at a
 * time, with up to 5,000 items each.
 */
export const conflictLimits = { conflicts: 500, compared: 200_000, partsPerRead: 4 };
const SCHEDULES_PER_READ = 100;

/** Finds other changes in these stores to the prices of a campaign's items while the campaign runs. */
export function createFindConflicts(world: ConflictsWorld, campaigns: CampaignStore, limits = conflictLimits) {
  const { records, databaseNow } = world;

  async function ownItems(campaign: Stored<Campaign>, store: string): Promise<CampaignPart["items"]> {
    const part = (await campaigns.parts(campaign, [store])).get(store);
    if (campaign.state !== "DRAFT" && part) return part.items;
    const resolved = await resolveItems(world, store, campaign);
    return resolved.filter(({ leftOut }) => leftOut === undefined);
  }

  async function othersIn(others: readonly Stored<Campaign>[], store: Stored<StoreRecord>): Promise<RunningCampaign[]> {
    const keyOf = ({ _id }: Stored<Campaign>) => campaignPartKey(store._id, idOf(_id));
    const parts = await records.read(campaignParts, others.map(keyOf));
    return others.flatMap((other) => {
      const part = parts.get(keyOf(other));
      return part === undefined ? [] : [runningIn(other, store, part.items, part.requestId)];
    });
  }

  function runningIn(
    campaign: Stored<Campaign>,
    { timeZone }: StoreRecord,
    items: CampaignPart["items"],
    requestId?: number,
  ): RunningCampaign {
    const since = campaign.begins ?? databaseNow();
    const { begins, ends } = periodIn(campaign, timeZone, campaign.from === undefined ? since : new Date(0));
    return { campaignId: idOf(campaign._id), name: campaign.name, begins, ends, items, requestId };
  }

  async function* changesOf(store: string, itemIds: readonly string[]): AsyncGenerator<PriceChange[]> {
    for (const batch of inBatches(itemIds, SCHEDULES_PER_READ)) {
      const found = await records.read(
        schedules,
        batch.map((itemId) => itemKey(store, itemId)),
      );
      yield [...found.values()].flatMap(priceChanges);
    }
  }

  /**
   * Yields the conflicts in a store in parts: first those with other campaigns, until the budget for their items is used
   * up, then those with scheduled changes.
   */
  async function* conflictsIn(
    own: RunningCampaign,
    store: Stored<StoreRecord>,
    others: readonly Stored<Campaign>[],
    budget: { left: number; isSpent: boolean },
  ) {
    const itemIds = own.items.map(({ itemId }) => itemId);
    for (const batch of inBatches(others, limits.partsPerRead)) {
      budget.isSpent ||= budget.left <= 0;
      if (budget.isSpent) break;
      const running = await othersIn(batch, store);
      for (const { items } of running) budget.left -= items.length;
      yield conflictsOf(own, running, []);
    }
    for await (const changes of changesOf(store._id, itemIds)) yield conflictsOf(own, [], changes);
  }

  return async (
    campaign: Stored<Campaign>,
    stores: readonly Stored<StoreRecord>[],
    isBounded: boolean,
  ): Promise<CampaignConflicts> => {
    const running = { state: "SCHEDULED", ends: { $gt: databaseNow() } };
    const others = (await Array.fromAsync(campaigns.list(tenantOf(campaign._id), running))).flat();
    const conflicts: CampaignConflicts["conflicts"] = [];
    const budget = { left: limits.compared, isSpent: false };
    let count = 0;
    for (const store of stores) {
      const { storeId } = storeIds(store._id);
      const items = await ownItems(campaign, store._id);
      const part = (await campaigns.parts(campaign, [store._id])).get(store._id);
      const own = runningIn(campaign, store, items, part?.requestId);
      const meanwhile = others.filter(
        (other) => other.storeIds.includes(storeId) && isMeanwhile(runningIn(other, store, []), own),
      );
      for await (const found of conflictsIn(own, store, meanwhile, budget)) {
        count += found.length;
        for (const one of found.slice(0, limits.conflicts - conflicts.length)) conflicts.push({ ...one, storeId });
      }
    }
    return { count, isBounded: isBounded || budget.isSpent, conflicts };
  };
}

/** Returns the scheduled changes to an item's regular price. */
const priceChanges = ({ itemId, updates }: Schedule): PriceChange[] =>
  updates.flatMap(({ due, patch, campaign, failed }) => {
    const { price } = JSON.parse(patch) as ItemPatch;
    return campaign === undefined && failed === undefined && price ? [{ itemId, at: due.getTime(), price }] : [];
  });
