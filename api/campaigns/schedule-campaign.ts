import { periodIn } from "../../domain/campaigns/campaign-period.ts";
import { rowsOfCampaign } from "../../domain/campaigns/campaign-rows.ts";
import { instantOfStoreTime } from "../../domain/times/store-time.ts";
import { campaignParts } from "../../records/kinds/campaigns.ts";
import type { Holds } from "../../records/requests/held/holds.ts";
import { type Campaign, type CampaignPart, MAX_CAMPAIGN_PAIRS } from "../../schemas/campaign.ts";
import { campaignPartKey, idOf, tenantOf } from "../../schemas/keys.ts";
import { DEFAULT_EXPIRES_AFTER, hasGuards } from "../../schemas/price-guards.ts";
import { type Fault, faultAt } from "../../schemas/problem.ts";
import type { Stored } from "../../schemas/record.ts";
import type { StoreRecord } from "../../schemas/store.ts";
import { tenantLimits } from "../../schemas/tenant-limits.ts";
import { INTERACTIVE_ROWS } from "../../schemas/urgency.ts";
import { MAX_FAULTS } from "../../schemas/validate.ts";
import { actorOf } from "../access/actor-of.ts";
import type { Permit } from "../access/verify-token.ts";
import type { TriedRows, TryRows } from "../held/try-rows.ts";
import { ProblemError } from "../http/problem-error.ts";
import { assertComplete, type CampaignStore, type CampaignStoreWorld } from "./campaign-store.ts";
import { assertDraft, changedMeanwhile } from "./may-change.ts";
import { type ResolveWorld, resolveItems } from "./resolve-items.ts";

export interface ScheduleWorld extends ResolveWorld, CampaignStoreWorld {
  tryRows: TryRows;
  holds: Pick<Holds, "countWaiting">;
  /** The database's current time. */
  databaseNow(): Date;
}

interface PlannedPart {
  store: Stored<StoreRecord>;
  part: CampaignPart;
  tried?: TriedRows;
}

const HOUR_MS = 3_600_000;

/**
 * Schedules a draft: decides on its items and prices, checks the guards of its stores, and leaves the rest to a worker.
 * These decisions are final; until the campaign begins, only the regular prices may still change.
 */
export function createScheduleCampaign(world: ScheduleWorld, store: CampaignStore) {
  const { commit, tryRows, databaseNow } = world;

  async function plan(campaign: Stored<Campaign>, settings: Stored<StoreRecord>): Promise<PlannedPart> {
    const resolved = await resolveItems(world, settings._id, campaign);
    const items = resolved
      .filter(({ leftOut }) => leftOut === undefined)
      .map(({ itemId, price }) => ({ itemId, ...(price !== undefined && { price }) }));
    const part: CampaignPart = { items, leftOut: resolved.length - items.length };
    const { priceGuards: guards, timeZone } = settings;
    if (guards === undefined || !hasGuards(guards) || items.every(({ price }) => price === undefined))
      return { store: settings, part };
    const rows = rowsOfCampaign(idOf(campaign._id), campaign, items);
    const tried = await tryRows({ store: settings._id, timeZone, guards, rows });
    return { store: settings, part, ...(tried.hits.length > 0 && { tried }) };
  }

  /**
   * Returns the parts, with an expiry for the requests that are to be held. Throws a 409 if the campaign is refused
   * instead, and a 429 if the tenant would have too many held requests.
   */
  async function guard(
    campaign: Stored<Campaign>,
    plans: readonly PlannedPart[],
    onGuard: "REFUSE" | "HOLD" | undefined,
  ) {
    const hit = plans.filter(({ tried }) => tried !== undefined);
    const rows = Math.max(0, ...hit.map(({ part }) => part.items.length * 2));
    if (hit.length > 0 && (onGuard ?? (rows > INTERACTIVE_ROWS ? "HOLD" : "REFUSE")) === "REFUSE")
      throw refusal(campaign, hit);
    const waiting = hit.length > 0 ? await world.holds.countWaiting(tenantOf(campaign._id)) : 0;
    if (waiting + hit.length > tenantLimits.heldRequests)
      throw new ProblemError("too-much-waiting", `${waiting} requests of the tenant are held: decide on them first.`);
    return plans.map(({ store: { _id, timeZone, priceGuards }, part, tried }): [string, CampaignPart] => {
      if (tried === undefined) return [_id, part];
      const { expiresAfter = DEFAULT_EXPIRES_AFTER } = priceGuards ?? {};
      const now = databaseNow().getTime();
      const times = [campaign.from, campaign.until].flatMap((at) =>
        at === undefined ? [] : instantOfStoreTime(at, timeZone),
      );
      const first = Math.min(now + expiresAfter * HOUR_MS, ...times.filter((at) => at > now));
      return [_id, { ...part, heldFor: JSON.stringify(tried.heldFor), heldUntil: new Date(first) }];
    });
  }

  /** Changes a draft; throws a 409 if it has changed since it was read. */
  async function changeDraft(campaign: Stored<Campaign>, changes: Partial<Campaign>): Promise<Stored<Campaign>> {
    const changed = await store.change(campaign._id, (current) =>
      current?.state === "DRAFT" && current.rev === campaign.rev ? { ...current, ...changes } : undefined,
    );
    if (changed === undefined) throw changedMeanwhile(campaign);
    return changed;
  }

  /**
   * Writes the parts of a plan once the draft names it. A plan is identified by the rev of the draft that it was made from.
   * Revs grow, so a slower call with an earlier plan does not overwrite the parts of a later one.
   */
  async function writeParts({ _id, rev }: Stored<Campaign>, parts: readonly [string, CampaignPart][]): Promise<void> {
    const byKey = new Map(parts.map(([key, part]) => [campaignPartKey(key, idOf(_id)), { ...part, plan: rev }]));
    const decide = (key: string, current: CampaignPart | undefined) =>
      (current?.plan ?? 0) < rev ? byKey.get(key) : undefined;
    await commit.change(campaignParts, [...byKey.keys()], decide, "interactive");
  }

  return async (
    campaign: Stored<Campaign>,
    permit: Permit,
    onGuard: "REFUSE" | "HOLD" | undefined,
  ): Promise<Stored<Campaign>> => {
    assertDraft(campaign);
    assertComplete(campaign);
    const settings = await store.stores(tenantOf(campaign._id), campaign.storeIds);
    const now = databaseNow();
    const periods = settings.map(({ timeZone }) => periodIn(campaign, timeZone, now));
    const late = periods.findIndex(({ begins, ends }) => ends <= begins);
    if (late >= 0)
      throw new ProblemError(
        "conflict",
        `"until", ${campaign.until}, is not in the future in the store "${campaign.storeIds[late]}".`,
      );
    const plans: PlannedPart[] = [];
    let items = 0;
    for (const one of settings) {
      const planned = await plan(campaign, one);
      items += planned.part.items.length;
      if (items > MAX_CAMPAIGN_PAIRS) throw tooMany(items);
      plans.push(planned);
    }
    if (items === 0) throw new ProblemError("conflict", "No item of the campaign exists with a price in its stores.");
    const parts = await guard(campaign, plans, onGuard);
    const named = await changeDraft(campaign, { plan: campaign.rev });
    await writeParts(campaign, parts);
    const leftOut = plans.reduce((sum, { part }) => sum + part.leftOut, 0);
    return changeDraft(named, {
      ...{ state: "SCHEDULED", by: actorOf(permit), counts: { items, leftOut }, due: now },
      begins: new Date(Math.min(...periods.map(({ begins }) => begins))),
      ends: new Date(Math.max(...periods.map(({ ends }) => ends))),
    });
  };
}

const tooMany = (items: number): ProblemError =>
  new ProblemError(
    "conflict",
    `The campaign has ${items} pairs of a store and an item, more than the maximum of ${MAX_CAMPAIGN_PAIRS}. Create several campaigns.`,
  );

/** The 409 that names each guard with its numbers, and what to do next. */
function refusal(campaign: Stored<Campaign>, hit: readonly PlannedPart[]): ProblemError {
  const errors: Fault[] = hit
    .flatMap(({ store: { _id }, tried }) => {
      const pointer = `/storeIds/${campaign.storeIds.indexOf(_id.slice(_id.lastIndexOf("/") + 1))}`;
      const ofItems = tried?.hits.flatMap(({ notices }) => notices) ?? [];
      return [...(tried?.whole ?? []), ...ofItems].map((notice) => faultAt(pointer, notice));
    })
    .slice(0, MAX_FAULTS);
  return new ProblemError(
    "price-guard",
    "Nothing was scheduled, because the campaign hits a price guard. Correct the prices, or schedule it with onGuard=HOLD to have it approved by a second person.",
    { errors },
  );
}
