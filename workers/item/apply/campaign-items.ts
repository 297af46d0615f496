import { mergeCampaignRow } from "../../../domain/campaigns/merge-campaign-row.ts";
import { failure } from "../../../domain/items/outcome.ts";
import { keepPrice, settlePrice } from "../../../domain/prices/keep-price.ts";
import type { ApplyRows, JournaledRow, StampedRow } from "../../../queues/requests/stamped-rows.ts";
import { cancelCampaign } from "../../../records/requests/scheduled-updates.ts";
import type { CampaignRow } from "../../../schemas/campaign-row.ts";
import type { Item } from "../../../schemas/item.ts";
import type { Schedule } from "../../../schemas/schedule.ts";
import type { ItemWorld } from "../world.ts";

/** A campaign row, with the time at which its request was accepted, from which its price is charged. */
export type DatedCampaignRow = StampedRow<CampaignRow> & Pick<JournaledRow<CampaignRow>, "acceptedAt">;

/** Begins and ends the offers of items. Returns one outcome per row. */
export const createMergeCampaigns =
  ({
    readItems,
    changeItems,
    priorPriceRulesOf,
  }: Pick<ItemWorld, "readItems" | "changeItems" | "priorPriceRulesOf">): ApplyRows<CampaignRow, DatedCampaignRow> =>
  async (store, rows, urgency) => {
    const rules = await priorPriceRulesOf(store);
    const byItem = Map.groupBy(rows.entries(), ([, { row }]) => row.itemId);
    const outcomes = rows.map(({ row }) => failure(row.itemId));
    const decide = (itemId: string, current: Item | undefined) => {
      let item = current;
      for (const [index, { row, stamp, acceptedAt }] of byItem.get(itemId) ?? []) {
        const merged = mergeCampaignRow(item, row, stamp);
        item = merged.item && keepPrice(item, merged.item, { at: acceptedAt.getTime(), rules });
        outcomes[index] = merged.outcome;
      }
      return settlePrice(current, item);
    };
    const itemIds = [...byItem.keys()];
    if (itemIds.length > 0) await changeItems(store, itemIds, decide, urgency, await readItems(store, itemIds));
    return outcomes.map((outcome) => [outcome]);
  };

/** Applies due campaign rows. If a campaign ends immediately, its schedule is cancelled as well. */
export const createCampaignItems =
  (
    { changeSchedules }: Pick<ItemWorld, "changeSchedules">,
    mergeCampaigns: ApplyRows<CampaignRow, DatedCampaignRow>,
  ): ApplyRows<CampaignRow, DatedCampaignRow> =>
  async (store, rows, urgency) => {
    const ends = Map.groupBy(
      rows.filter(({ row }) => row.ends),
      ({ row }) => row.itemId,
    );
    const decide = (itemId: string, current: Schedule | undefined) =>
      (ends.get(itemId) ?? []).reduce(
        (schedule, { row, stamp }) => cancelCampaign(schedule, row.campaign, stamp),
        current ?? { itemId, updates: [] },
      );
    if (ends.size > 0) await changeSchedules(store, [...ends.keys()], decide, urgency);
    return mergeCampaigns(store, rows, urgency);
  };
