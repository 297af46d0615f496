import { Type } from "typebox";
import {
  CampaignAnswer,
  CampaignConflicts,
  CampaignPreview,
  CampaignState,
  CampaignSummary,
} from "../../schemas/campaign-answers.ts";
import { storeIds, tenantOf } from "../../schemas/keys.ts";
import { pageLimit, Start } from "../../schemas/paging.ts";
import { type Route, route } from "../http/route.ts";
import { campaignSummary } from "./campaign-answer.ts";
import { CampaignPath, type CampaignsWorld, type CampaignTools, createCampaignTools } from "./campaign-tools.ts";
import { campaignWrites } from "./campaign-writes.ts";

export type { CampaignsWorld };

/** Operations on campaigns: prices of items for a limited time, in one store or several (docs/integrators/campaigns.md). */
export function campaigns(world: CampaignsWorld): Route[] {
  const tools = createCampaignTools(world);
  return [...[list, get, preview, conflicts].map((describe) => describe(tools)), ...campaignWrites(tools)];
}

const list = ({ store, now }: CampaignTools) =>
  route({
    method: "GET",
    path: "/campaigns",
    operationId: "listCampaigns",
    summary: "List the campaigns of the store, newest first",
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

const get = ({ store, answer }: CampaignTools) =>
  route({
    method: "GET",
    path: "/campaigns/:campaignId",
    operationId: "getCampaign",
    summary: "Get a campaign with its outcome in its stores",
    scope: "items:read",
    params: CampaignPath,
    answers: { 200: CampaignAnswer },
    problems: ["not-found"],
    handle: async ({ store: path, permit, params: { campaignId } }) => ({
      status: 200,
      body: await answer(await store.one(path, campaignId), permit),
    }),
  });

const preview = ({ store, previewCampaign, readable }: CampaignTools) =>
  route({
    method: "GET",
    path: "/campaigns/:campaignId/preview",
    operationId: "previewCampaign",
    summary: "Preview a campaign: its prices, and labels before and after",
    description:
      "Based on the current regular prices in at most 20 of its stores; the labels are those of the store in the path. Without the `labels:read` scope, no labels are returned.",
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

const conflicts = ({ store, findConflicts, readable }: CampaignTools) =>
  route({
    method: "GET",
    path: "/campaigns/:campaignId/conflicts",
    operationId: "listCampaignConflicts",
    summary:
      "List what else changes the prices of a campaign's items while it runs: other campaigns and scheduled changes",
    description:
      "Covers at most 20 of its stores. A conflict requires no action: each one says which of the two prices is shown.",
    scope: "items:read",
    params: CampaignPath,
    answers: { 200: CampaignConflicts },
    problems: ["not-found", "too-much-waiting"],
    async handle({ store: path, permit, params: { campaignId } }) {
      const found = await store.one(path, campaignId);
      const { ids, isBounded } = readable(found, permit, path);
      const settings = await store.stores(tenantOf(path), ids);
      return { status: 200, body: await findConflicts(found, settings, isBounded) };
    },
  });
