import { randomBytes } from "node:crypto";
import { Type } from "typebox";
import { stateOf } from "../../domain/campaigns/campaign-state.ts";
import { campaignParts, campaigns as kind } from "../../records/kinds/campaigns.ts";
import type { Holds } from "../../records/requests/held/holds.ts";
import {
  type Campaign,
  CampaignAnswer,
  CampaignConflicts,
  CampaignId,
  CampaignOrder,
  CampaignPatch,
  CampaignPreview,
  CampaignSchedule,
  CampaignState,
  CampaignSummary,
} from "../../schemas/campaign.ts";
import { campaignKey, storeIds, tenantOf } from "../../schemas/keys.ts";
import { pageLimit, Start } from "../../schemas/paging.ts";
import type { Stored } from "../../schemas/record.ts";
import { tenantLimits } from "../../schemas/tenant-limits.ts";
import { actorOf } from "../access/actor-of.ts";
import type { Permit } from "../access/verify-token.ts";
import { knownFields } from "../body/known-fields.ts";
import { ProblemError } from "../http/problem-error.ts";
import { Nothing, type Route, route } from "../http/route.ts";
import { campaignAnswer, campaignSummary, type PartAnswer } from "./campaign-answer.ts";
import { createCampaignStore } from "./campaign-store.ts";
import { createFindConflicts } from "./find-conflicts.ts";
import { createPreviewCampaign, type PreviewCampaignWorld } from "./preview-campaign.ts";
import { assertDraft, changedMeanwhile, createScheduleCampaign, type ScheduleWorld } from "./schedule-campaign.ts";

export interface CampaignsWorld extends ScheduleWorld, PreviewCampaignWorld {
  holds: Pick<Holds, "countWaiting" | "read">;
}

const CampaignPath = Type.Object({ campaignId: CampaignId });
/** Stores whose items a preview and the conflicts read. */
const MAX_STORES_READ = 20;

/** Campaigns: prices of items for a while, in one store or several (docs/integrators/campaigns.md). */
export function campaigns(world: CampaignsWorld): Route[] {
  const tools = createTools(world);
  return [list, create, get, patch, remove, schedule, cancel, preview, conflicts].map((describe) => describe(tools));
}

type Tools = ReturnType<typeof createTools>;

function createTools(world: CampaignsWorld) {
  const store = createCampaignStore(world);
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
    scheduleCampaign: createScheduleCampaign(world, store),
    findConflicts: createFindConflicts(world, store),
    previewCampaign: createPreviewCampaign(world),
    now: databaseNow,
    answer: async (campaign: Stored<Campaign>, permit: Permit): Promise<CampaignAnswer> =>
      campaignAnswer(campaign, await partAnswers(campaign, permit), databaseNow()),

    /** The first stores of a campaign that the caller may read, the one in the path before all. */
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

const list = ({ store, now }: Tools) =>
  route({
    method: "GET",
    path: "/campaigns",
    operationId: "listCampaigns",
    summary: "List the campaigns of the store, the newest first",
    scope: "items:read",
    query: Type.Object({
      state: Type.Optional(CampaignState),
      start: Type.Optional(Start),
      limit: Type.Optional(pageLimit()),
    }),
    answers: { 200: Type.Array(CampaignSummary) },
    async handle({ store: path, query: { state, start = 0, limit = 100 } }) {
      const { storeId } = storeIds(path);
      const found: CampaignSummary[] = [];
      for await (const batch of store.list(tenantOf(path), { storeIds: storeId }))
        found.push(
          ...batch
            .map((one) => campaignSummary(one, now()))
            .filter((one) => state === undefined || one.state === state),
        );
      return { status: 200, body: found.slice(start, start + limit) };
    },
  });

const create = ({ store, now, answer }: Tools) =>
  route({
    method: "POST",
    path: "/campaigns",
    operationId: "createCampaign",
    changes: "records",
    summary: "Create a campaign as a draft",
    description:
      "A draft changes nothing. The token must be valid for all stores of the campaign. Schedule it with `POST /campaigns/{campaignId}/schedule`.",
    scope: "items:write",
    body: CampaignOrder,
    answers: { 201: CampaignAnswer },
    problems: ["conflict"],
    async handle({ store: path, permit, body }) {
      const tenant = tenantOf(path);
      const order = { ...knownFields(CampaignOrder, body), storeIds: body.storeIds ?? [storeIds(path).storeId] };
      store.assertPermitted(permit, order.storeIds);
      const designId = await store.assertOrder(path, order);
      const id = newCampaignId(now());
      await store.assertRoom(tenant, id, tenantLimits.campaigns);
      const draft: Campaign = {
        ...order,
        ...(designId !== undefined && { designId }),
        ...{ state: "DRAFT", createdAt: now(), createdBy: actorOf(permit) },
      };
      const created = await store.change(campaignKey(tenant, id), () => draft);
      return { status: 201, body: await answer(created as Stored<Campaign>, permit) };
    },
  });

const get = ({ store, answer }: Tools) =>
  route({
    method: "GET",
    path: "/campaigns/:campaignId",
    operationId: "getCampaign",
    summary: "Get a campaign, and what became of it in its stores",
    scope: "items:read",
    params: CampaignPath,
    answers: { 200: CampaignAnswer },
    problems: ["not-found"],
    handle: async ({ store: path, permit, params: { campaignId } }) => ({
      status: 200,
      body: await answer(await store.one(path, campaignId), permit),
    }),
  });

const patch = ({ store, answer }: Tools) =>
  route({
    method: "PATCH",
    path: "/campaigns/:campaignId",
    operationId: "patchCampaign",
    changes: "records",
    summary: "Change a draft of a campaign",
    description: "The fields in the body replace those of the draft; null removes one.",
    scope: "items:write",
    params: CampaignPath,
    body: CampaignPatch,
    answers: { 200: CampaignAnswer },
    problems: ["not-found", "conflict"],
    async handle({ store: path, permit, params: { campaignId }, body }) {
      const found = await store.one(path, campaignId);
      assertDraft(found);
      const order = patched(found, knownFields(CampaignPatch, body));
      store.assertPermitted(permit, [...found.storeIds, ...order.storeIds]);
      const designId = await store.assertOrder(path, order);
      const changed = await store.change(found._id, (current) =>
        current?.rev === found.rev ? { ...order, ...(designId !== undefined && { designId }) } : undefined,
      );
      if (changed === undefined || (changed.rev !== found.rev && changed.state !== "DRAFT"))
        throw changedMeanwhile(found);
      return { status: 200, body: await answer(changed, permit) };
    },
  });

/** A draft with the fields of a patch; null removes a field. */
function patched(
  { _id, store: _store, rev: _rev, writeId: _writeId, changedAt: _changedAt, ...draft }: Stored<Campaign>,
  patch: CampaignPatch,
): Campaign {
  const fields = Object.entries({ ...draft, ...patch }).filter(([name, value]) => value !== null && name !== "inputs");
  return Object.fromEntries(fields) as unknown as Campaign;
}

const remove = ({ world, store, now }: Tools) =>
  route({
    method: "DELETE",
    path: "/campaigns/:campaignId",
    operationId: "deleteCampaign",
    changes: "records",
    summary: "Delete a draft, or a campaign that is over",
    description: "A campaign that is scheduled or live must be cancelled first.",
    scope: "items:write",
    params: CampaignPath,
    answers: { 204: Nothing },
    problems: ["not-found", "conflict"],
    async handle({ store: path, permit, params: { campaignId } }) {
      const found = await store.one(path, campaignId);
      store.assertPermitted(permit, found.storeIds);
      const state = stateOf(found, now());
      if (found.due !== undefined || state === "SCHEDULED" || state === "LIVE")
        throw new ProblemError("conflict", `The campaign "${campaignId}" is ${state}: cancel it first.`);
      if ((await world.records.remove(kind, [{ key: found._id, rev: found.rev }])) === 0) throw changedMeanwhile(found);
      const parts = await store.parts(found, store.storeKeys(tenantOf(path), found.storeIds));
      const revs = [...parts.values()].map(({ _id, rev }) => ({ key: _id, rev }));
      await world.records.remove(campaignParts, revs);
      return { status: 204 };
    },
  });

const schedule = ({ store, scheduleCampaign, answer }: Tools) =>
  route({
    method: "POST",
    path: "/campaigns/:campaignId/schedule",
    operationId: "scheduleCampaign",
    changes: "records",
    summary: "Schedule a draft: it begins and ends by the clock of each store",
    description:
      "Its items and their prices are decided now. The price guards of the stores are tried: what hits one is refused, or held (`onGuard`). " +
      "Each store then accepts one request, whose number is in `stores`, within seconds.",
    scope: "items:write",
    params: CampaignPath,
    body: CampaignSchedule,
    isBodyOptional: true,
    answers: { 200: CampaignAnswer },
    problems: ["not-found", "conflict", "price-guard", "too-much-waiting"],
    async handle({ store: path, permit, params: { campaignId }, body }) {
      const found = await store.one(path, campaignId);
      store.assertPermitted(permit, found.storeIds);
      return { status: 200, body: await answer(await scheduleCampaign(found, permit, body?.onGuard), permit) };
    },
  });

const cancel = ({ store, now, answer }: Tools) =>
  route({
    method: "POST",
    path: "/campaigns/:campaignId/cancel",
    operationId: "cancelCampaign",
    changes: "records",
    summary: "Cancel a campaign as a whole: the regular prices return, and it does not begin where it has not",
    description: "Each store accepts one request for it within seconds. Repeated, it changes nothing.",
    scope: "items:write",
    params: CampaignPath,
    answers: { 200: CampaignAnswer },
    problems: ["not-found", "conflict"],
    async handle({ store: path, permit, params: { campaignId } }) {
      const found = await store.one(path, campaignId);
      store.assertPermitted(permit, found.storeIds);
      if (stateOf(found, now()) === "ENDED")
        throw new ProblemError("conflict", `The campaign "${campaignId}" has ended: the regular prices have returned.`);
      const changed = await store.change(found._id, (current) =>
        current === undefined || current.state === "CANCELLED"
          ? undefined
          : { ...current, state: "CANCELLED", by: actorOf(permit), due: now() },
      );
      return { status: 200, body: await answer(changed ?? found, permit) };
    },
  });

const preview = ({ store, previewCampaign, readable }: Tools) =>
  route({
    method: "GET",
    path: "/campaigns/:campaignId/preview",
    operationId: "previewCampaign",
    summary: "Show what a campaign does: its prices, and labels before and after",
    description:
      "By the regular prices now, in at most 20 of its stores; the labels are of the store in the path. Without the scope `labels:read` there are none.",
    scope: "items:read",
    params: CampaignPath,
    answers: { 200: CampaignPreview },
    problems: ["not-found", "too-much-waiting"],
    async handle({ store: path, permit, params: { campaignId } }) {
      const found = await store.one(path, campaignId);
      const stores = store.storeKeys(tenantOf(path), readable(found, permit, path).ids);
      return { status: 200, body: await previewCampaign(found, stores, permit.scopes.has("labels:read")) };
    },
  });

const conflicts = ({ store, findConflicts, readable }: Tools) =>
  route({
    method: "GET",
    path: "/campaigns/:campaignId/conflicts",
    operationId: "listCampaignConflicts",
    summary: "List what else happens to the prices of its items meanwhile: other campaigns, and scheduled changes",
    description: "In at most 20 of its stores. Nothing has to be done about them: each says which of the two is shown.",
    scope: "items:read",
    params: CampaignPath,
    answers: { 200: CampaignConflicts },
    problems: ["not-found"],
    async handle({ store: path, permit, params: { campaignId } }) {
      const found = await store.one(path, campaignId);
      const { ids, isBounded } = readable(found, permit, path);
      const settings = await store.stores(tenantOf(path), ids);
      return { status: 200, body: await findConflicts(found, settings, isBounded) };
    },
  });

/** Ids sort by time. */
const newCampaignId = (now: Date): string =>
  `${now.toISOString().replaceAll(/[-:.]/g, "")}-${randomBytes(3).toString("hex")}`;
