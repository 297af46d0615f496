import type { Logger } from "pino";
import { campaigns } from "../../records/kinds/campaigns.ts";
import { dueKeys } from "../../records/mongodb/due-keys.ts";
import type { Campaign } from "../../schemas/campaign.ts";
import { storeKey, tenantIdOf, tenantOf } from "../../schemas/keys.ts";
import type { Stored } from "../../schemas/record.ts";
import { type CampaignWorld, createCarryOutPart } from "./carry-out-part.ts";

/** A worker takes over a campaign that another worker took this long ago, since that worker was killed or is slow. */
const TAKEN_OVER_AFTER_MS = 30_000;

/**
 * Returns a function that begins scheduled campaigns in their stores and ends cancelled campaigns. Call it repeatedly, from
 * any number of processes: every step is safe to repeat.
 */
export function createRunCampaigns(world: CampaignWorld & { log: Pick<Logger, "info"> }): () => Promise<void> {
  const { db, commit, databaseNow, log } = world;
  const carryOutPart = createCarryOutPart(world);

  /** Takes a campaign for a while; undefined if another process has it. */
  async function take(key: string): Promise<Stored<Campaign> | undefined> {
    const now = databaseNow();
    const due = new Date(now.getTime() + TAKEN_OVER_AFTER_MS);
    const decide = (_: string, current: Campaign | undefined) =>
      current?.due !== undefined && current.due <= now ? { ...current, due } : undefined;
    return (await commit.change(campaigns, [key], decide, "interactive")).get(key);
  }

  return async () => {
    for (const key of await dueKeys(db, campaigns, databaseNow())) {
      const campaign = await take(key);
      if (campaign === undefined) continue;
      for (const storeId of campaign.storeIds)
        await carryOutPart(campaign, storeKey(tenantIdOf(tenantOf(key)), storeId));
      // A campaign that was cancelled in the meantime is due again.
      const done = (_: string, current: Campaign | undefined) =>
        current?.state === campaign.state ? withoutDue(current) : undefined;
      await commit.change(campaigns, [key], done, "interactive");
      log.info({ campaign: key, state: campaign.state }, "the requests of a campaign are accepted");
    }
  };
}

function withoutDue({ due: _, ...campaign }: Campaign): Campaign {
  return campaign;
}
