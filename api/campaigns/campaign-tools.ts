import { Type } from "typebox";
import type { Holds } from "../../records/requests/held/holds.ts";
import { createOwnerTurns } from "../../runtime/thread/owner-turns.ts";
import { type Campaign, CampaignId } from "../../schemas/campaign.ts";
import type { CampaignAnswer } from "../../schemas/campaign-answers.ts";
import { storeIds, tenantOf } from "../../schemas/keys.ts";
import type { Stored } from "../../schemas/record.ts";
import type { Permit } from "../access/verify-token.ts";
import { campaignAnswer, type PartAnswer } from "./campaign-answer.ts";
import { createCampaignStore } from "./campaign-store.ts";
import { createFindConflicts } from "./find-conflicts.ts";
import { createPreviewCampaign, type PreviewCampaignWorld } from "./preview-campaign.ts";
import { createScheduleCampaign, type ScheduleWorld } from "./schedule-campaign.ts";

export interface CampaignsWorld extends ScheduleWorld, PreviewCampaignWorld {
  holds: Pick<Holds, "countWaiting" | "read">;
}

export const CampaignPath = Type.Object({ campaignId: CampaignId });
/** Maximum number of calls waiting in a process: per tenant and in total. */
const MAX_WAITING = { ofOwner: 8, inAll: 64 };
/** Maximum number of stores whose items a preview or a search for conflicts reads. */
const MAX_STORES_READ = 20;

export type CampaignTools = ReturnType<typeof createCampaignTools>;

/** Functions that the operations on campaigns share. */
export function createCampaignTools(world: CampaignsWorld) {
  const store = createCampaignStore(world);
  // Each call reads many items from large stores.
  const inTurn = createOwnerTurns(MAX_WAITING);
  const previewCampaign = createPreviewCampaign(world);
  const scheduleCampaign = createScheduleCampaign(world, store);
  const findConflicts = createFindConflicts(world, store);
  const { holds, databaseNow } = world;

  async function partAnswers(campaign: Stored<Campaign>, permit: Permit): Promise<PartAnswer[]> {
    const permitted = campaign.storeIds.filter((storeId) => store.permits(permit, storeId));
    const parts = await store.parts(campaign, store.storeKeys(tenantOf(campaign._id), permitted));
    if (campaign.state === "DRAFT") return [];
    return Promise.all(
      [...parts].map(async ([key, part]) => {
        const held = part.isHeld && part.requestId !== undefined ? await holds.read(key, part.requestId) : undefined;
        return { store: key, part, held: held?.hold.state ?? null };
      }),
    );
  }

  return {
    world,
    store,
    scheduleCampaign: (...call: Parameters<typeof scheduleCampaign>) =>
      inTurn(tenantOf(call[0]._id), () => scheduleCampaign(...call)),
    findConflicts: (...call: Parameters<typeof findConflicts>) =>
      inTurn(tenantOf(call[0]._id), () => findConflicts(...call)),
    previewCampaign: (...call: Parameters<typeof previewCampaign>) =>
      inTurn(tenantOf(call[0]._id), () => previewCampaign(...call)),
    now: databaseNow,
    answer: async (campaign: Stored<Campaign>, permit: Permit): Promise<CampaignAnswer> =>
      campaignAnswer(campaign, await partAnswers(campaign, permit), databaseNow()),

    /** The first of a campaign's stores that the caller may read, starting with the store in the path. */
    readable(campaign: Stored<Campaign>, permit: Permit, path: string): { ids: string[]; isBounded: boolean } {
      const { storeId } = storeIds(path);
      const others = campaign.storeIds.filter((id) => id !== storeId && store.permits(permit, id));
      return {
        ids: [storeId, ...others].slice(0, MAX_STORES_READ),
        isBounded: others.length + 1 > MAX_STORES_READ,
      };
    },
  };
}
