import type { Db } from "mongodb";
import { rowsOfCampaign, rowsOfCancellation } from "../../domain/campaigns/campaign-rows.ts";
import { campaignParts } from "../../records/kinds/campaigns.ts";
import type { Records } from "../../records/records.ts";
import { createAcceptOnce } from "../../records/requests/accept-once.ts";
import type { AcceptedRequest, JournaledChunk } from "../../records/requests/chunks.ts";
import type { HoldMarks } from "../../records/requests/held/hold-marks.ts";
import type { Holds } from "../../records/requests/held/holds.ts";
import type { Actor } from "../../schemas/actor.ts";
import type { Campaign, CampaignPart } from "../../schemas/campaign.ts";
import type { CampaignRow } from "../../schemas/campaign-row.ts";
import type { HeldFor, Hold } from "../../schemas/held-request.ts";
import { campaignPartKey, idOf } from "../../schemas/keys.ts";
import type { Stored } from "../../schemas/record.ts";
import type { Commit } from "../changes/commit.ts";
import type { createCarryOutHold } from "../requests/carry-out-hold.ts";
import type { EnqueueChunks } from "../requests/enqueue-chunks.ts";

export interface CampaignWorld {
  db: Db;
  records: Pick<Records, "read">;
  commit: Commit;
  /** Journals a request. */
  accept(request: AcceptedRequest): Promise<JournaledChunk[]>;
  enqueueChunks: EnqueueChunks;
  holds: Pick<Holds, "read" | "change">;
  holdMarks: Pick<HoldMarks, "set" | "remove">;
  carryOutHold: ReturnType<typeof createCarryOutHold>;
  now(): Date;
  /** By the database's clock. */
  databaseNow(): Date;
}

type Step = "begin" | "cancel";

/**
 * Begins or cancels a campaign in a store through a request. The journal accepts each of these requests once, even if the work of
 * a killed process is repeated or two processes do the same work at the same time. The requests' rows schedule the beginning and
 * the end like any other update (docs/architecture/campaigns.md).
 */
export function createCarryOutPart(world: CampaignWorld) {
  const { db, records, commit, enqueueChunks, holds, holdMarks, carryOutHold, now, databaseNow } = world;

  /** Journals a request once; returns its chunks. */
  async function acceptOnce(
    campaign: Stored<Campaign>,
    store: string,
    step: Step,
    rows: readonly CampaignRow[],
    hold?: Hold,
  ) {
    const run = { name: `${campaign._id} ${store} ${step}`, requests: 0, isRepeated: true, isFound: false };
    const accept = createAcceptOnce(db, world.accept, () => run, now);
    const cause = { actor: actorOf(campaign) };
    const request = { store, operation: "campaign-items", rows, ordered: true, cause, ...(hold && { hold }) };
    return accept(request);
  }

  /** Journals a request that changes nothing until it is approved. */
  async function holdOnce(campaign: Stored<Campaign>, store: string, part: CampaignPart, rows: readonly CampaignRow[]) {
    // The mark is set before the request's number is reserved.
    const mark = await holdMarks.set(store);
    const hold: Hold = {
      ...(JSON.parse(part.heldFor ?? "{}") as HeldFor),
      ...{ state: "WAITING", open: true, mark, sentBy: actorOf(campaign) },
      expiresAt: part.heldUntil ?? databaseNow(),
    };
    const chunks = await acceptOnce(campaign, store, "begin", rows, hold);
    // An earlier run has already journaled the request with its own mark.
    if (chunks[0]?.hold?.mark !== mark) await holdMarks.remove(store, [mark]);
    return chunks;
  }

  async function change(key: string, changes: Partial<CampaignPart>): Promise<void> {
    await commit.change(campaignParts, [key], (_, current) => current && { ...current, ...changes }, "interactive");
  }

  /** Accepts the request that begins the campaign and ends it at the scheduled time; returns the request's number. */
  async function begin(campaign: Stored<Campaign>, store: string, part: Stored<CampaignPart>): Promise<number> {
    if (part.requestId !== undefined) return part.requestId;
    const rows = rowsOfCampaign(idOf(campaign._id), campaign, part.items);
    const isHeld = part.heldFor !== undefined;
    const chunks = await (isHeld ? holdOnce(campaign, store, part, rows) : acceptOnce(campaign, store, "begin", rows));
    if (!isHeld) await enqueueChunks(chunks);
    const requestId = chunks[0]?.number ?? 0;
    await change(part._id, { requestId, ...(isHeld && { isHeld: true as const }) });
    return requestId;
  }

  /**
   * Refuses the campaign's request if the request is held and nobody has approved it; returns true if the request will never be
   * applied.
   */
  async function withdraw(campaign: Stored<Campaign>, store: string, requestId: number): Promise<boolean> {
    const held = await holds.read(store, requestId);
    if (held === undefined) return false;
    if (held.hold.state !== "WAITING") return held.hold.state !== "APPROVED";
    const decision = { at: databaseNow(), by: actorOf(campaign), note: "The campaign was cancelled." };
    const changes = { state: "REFUSED" as const, decision };
    if (!(await holds.change(store, requestId, held.hold, changes))) return withdraw(campaign, store, requestId);
    await carryOutHold.decided({ ...held, hold: { ...held.hold, ...changes } });
    return true;
  }

  /**
   * Accepts the request that ends the campaign immediately. Its number is larger than that of the request that begins the
   * campaign, so it is applied later.
   */
  async function cancel(campaign: Stored<Campaign>, store: string, part: Stored<CampaignPart>): Promise<void> {
    if (part.cancelledBy !== undefined) return;
    const requestId = await begin(campaign, store, part);
    const isWithdrawn = part.heldFor !== undefined && (await withdraw(campaign, store, requestId));
    if (isWithdrawn) return change(part._id, { cancelledBy: 0 });
    const chunks = await acceptOnce(campaign, store, "cancel", rowsOfCancellation(idOf(campaign._id), part.items));
    await enqueueChunks(chunks);
    await change(part._id, { cancelledBy: chunks[0]?.number ?? 0 });
  }

  return async (campaign: Stored<Campaign>, store: string): Promise<void> => {
    const key = campaignPartKey(store, idOf(campaign._id));
    const part = (await records.read(campaignParts, [key])).get(key);
    if (part === undefined || part.items.length === 0) return;
    // The campaign was cancelled as a draft. The parts are left over from a scheduling call that was refused or killed.
    if (campaign.begins === undefined && part.requestId === undefined) return;
    await (campaign.state === "CANCELLED" ? cancel(campaign, store, part) : begin(campaign, store, part));
  };
}

/** Returns who scheduled or cancelled a campaign. */
const actorOf = ({ by, createdBy }: Pick<Campaign, "by" | "createdBy">): Actor => by ?? createdBy;
