import { randomBytes } from "node:crypto";
import { campaignParts, campaigns } from "../../records/kinds/campaigns.ts";
import { type Campaign, CampaignOrder, CampaignPatch, CampaignSchedule } from "../../schemas/campaign.ts";
import { CampaignAnswer } from "../../schemas/campaign-answers.ts";
import { campaignKey, storeIds, tenantOf } from "../../schemas/keys.ts";
import type { Stored } from "../../schemas/record.ts";
import { tenantLimits } from "../../schemas/tenant-limits.ts";
import { actorOf } from "../access/actor-of.ts";
import { knownFields } from "../body/without-unknown-fields.ts";
import { Nothing, type Route, route } from "../http/route.ts";
import { CampaignPath, type CampaignTools } from "./campaign-tools.ts";
import { assertDraft, assertIdle, assertNotEnded, changedMeanwhile } from "./may-change.ts";

/** The operations that change campaigns. */
export const campaignWrites = (tools: CampaignTools): Route[] =>
  [create, patch, remove, schedule, cancel].map((describe) => describe(tools));

const create = ({ store, now, answer }: CampaignTools) =>
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

const patch = ({ store, answer }: CampaignTools) =>
  route({
    method: "PATCH",
    path: "/campaigns/:campaignId",
    operationId: "patchCampaign",
    changes: "records",
    summary: "Change a campaign's draft",
    description: "The fields in the body replace the draft's; null removes one.",
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
      const present = changed ?? (await store.one(path, campaignId));
      if (changed === undefined && present.rev !== found.rev) throw changedMeanwhile(found);
      return { status: 200, body: await answer(present, permit) };
    },
  });

/** Returns a draft with the fields of a patch; null removes a field. */
function patched(
  { _id, store: _store, rev: _rev, writeId: _writeId, changedAt: _changedAt, ...draft }: Stored<Campaign>,
  patch: CampaignPatch,
): Campaign {
  const fields = Object.entries({ ...draft, ...patch }).filter(([name, value]) => value !== null && name !== "inputs");
  return Object.fromEntries(fields) as unknown as Campaign;
}

const remove = ({ world, store, now }: CampaignTools) =>
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
      assertIdle(found, now());
      if ((await world.records.remove(campaigns, [{ key: found._id, rev: found.rev }])) === 0)
        throw changedMeanwhile(found);
      const parts = await store.parts(found, store.storeKeys(tenantOf(path), found.storeIds));
      const revs = [...parts.values()].map(({ _id, rev }) => ({ key: _id, rev }));
      await world.records.remove(campaignParts, revs);
      return { status: 204 };
    },
  });

const schedule = ({ store, scheduleCampaign, answer }: CampaignTools) =>
  route({
    method: "POST",
    path: "/campaigns/:campaignId/schedule",
    operationId: "scheduleCampaign",
    changes: "records",
    summary: "Schedule a draft: the campaign begins and ends by the clock of each store",
    description:
      "Its items and their prices are decided now. The stores' price guards check them: a campaign that hits one is refused, or held (`onGuard`). " +
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

const cancel = ({ store, now, answer }: CampaignTools) =>
  route({
    method: "POST",
    path: "/campaigns/:campaignId/cancel",
    operationId: "cancelCampaign",
    changes: "records",
    summary:
      "Cancel a campaign as a whole: the regular prices return, and stores where it has not begun never start it",
    description: "Each store accepts one request for it within seconds. Repeating the call changes nothing.",
    scope: "items:write",
    params: CampaignPath,
    answers: { 200: CampaignAnswer },
    problems: ["not-found", "conflict"],
    async handle({ store: path, permit, params: { campaignId } }) {
      const found = await store.one(path, campaignId);
      store.assertPermitted(permit, found.storeIds);
      assertNotEnded(found, now());
      const changed = await store.change(found._id, (current) =>
        current === undefined || current.state === "CANCELLED"
          ? undefined
          : { ...current, state: "CANCELLED", by: actorOf(permit), due: now() },
      );
      return { status: 200, body: await answer(changed ?? (await store.one(path, campaignId)), permit) };
    },
  });

/** Ids sort by time. */
const newCampaignId = (now: Date): string =>
  `${now.toISOString().replaceAll(/[-:.]/g, "")}-${randomBytes(3).toString("hex")}`;
