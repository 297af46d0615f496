import type { Db } from "mongodb";
import { campaignFaults, type OrderOfStores } from "../../domain/campaigns/campaign-faults.ts";
import { hasPrices } from "../../domain/campaigns/campaign-price.ts";
import type { Commit } from "../../queues/changes/commit.ts";
import { campaignParts, campaigns } from "../../records/kinds/campaigns.ts";
import { designs } from "../../records/kinds/designs.ts";
import { listRecords } from "../../records/list-records.ts";
import type { Records } from "../../records/records.ts";
import type { Campaign, CampaignPart } from "../../schemas/campaign.ts";
import {
  campaignKey,
  campaignPartKey,
  fullDesignKey,
  storeIds,
  storeKey,
  tenantIdOf,
  tenantOf,
} from "../../schemas/keys.ts";
import type { Fault } from "../../schemas/problem.ts";
import type { Stored } from "../../schemas/record.ts";
import type { StoreRecord } from "../../schemas/store.ts";
import type { Permit } from "../access/verify-token.ts";
import { ProblemError } from "../http/problem-error.ts";
import { assertFaultless, createFinder, missing } from "../management/find-records.ts";

export interface CampaignStoreWorld {
  db: Db;
  records: Records;
  commit: Commit;
  /** Finds a store, with its own and its tenant's price guards. */
  findStore(tenantId: string, storeId: string): Promise<Stored<StoreRecord> | undefined>;
}

export type CampaignStore = ReturnType<typeof createCampaignStore>;

const summaryFields = Object.keys({
  ...{ name: 0, from: 0, until: 0, storeIds: 0, state: 0, createdAt: 0, createdBy: 0 },
  ...{ begins: 0, ends: 0, counts: 0, due: 0 },
});

/** Reads and writes campaigns from the point of view of one store. */
export function createCampaignStore({ db, records, commit, findStore }: CampaignStoreWorld) {
  const finder = createFinder(records, { kind: campaigns, noun: "campaign", keyOf: campaignKey });

  const permits = ({ stores }: Permit, storeId: string): boolean => stores === "*" || stores.has(storeId);

  return {
    permits,

    /** Returns a campaign of the store; throws a 404 if there is none. */
    async one(store: string, id: string): Promise<Stored<Campaign>> {
      const found = await finder.one(tenantOf(store), id);
      if (!found.storeIds.includes(storeIds(store).storeId)) throw missing("campaign", id);
      return found;
    },

    /** Returns a tenant's campaigns in batches, newest first, without their items. */
    list: (tenant: string, filter?: object): AsyncIterable<Stored<Campaign>[]> =>
      listRecords(db, campaigns, {
        prefix: campaignKey(tenant, ""),
        descending: true,
        fields: summaryFields,
        ...(filter && { filter }),
      }),

    assertRoom: finder.assertRoom,

    /** Throws a 403 unless the caller may act in all of these stores. */
    assertPermitted(permit: Permit, stores: readonly string[]): void {
      const foreign = stores.find((storeId) => !permits(permit, storeId));
      if (foreign !== undefined)
        throw new ProblemError("forbidden", `The token is not valid for the store "${foreign}" of the campaign.`);
    },

    /** Returns a campaign's stores with their guards. */
    async stores(tenant: string, ids: readonly string[]): Promise<Stored<StoreRecord>[]> {
      const found = await Promise.all(ids.map((storeId) => findStore(tenantIdOf(tenant), storeId)));
      return found.map((store, index) => {
        if (store === undefined) throw missing("store", ids[index] ?? "");
        return store;
      });
    },

    /** Returns a campaign's effects in its stores, by store key. */
    async parts({ _id }: Pick<Stored<Campaign>, "_id">, stores: readonly string[]) {
      const id = _id.slice(campaignKey(tenantOf(_id), "").length);
      const keys = stores.map((store) => campaignPartKey(store, id));
      const found = await records.read(campaignParts, keys);
      return new Map(
        stores.flatMap((store, index): [string, Stored<CampaignPart>][] => {
          const part = found.get(keys[index] ?? "");
          return part === undefined ? [] : [[store, part]];
        }),
      );
    },

    /** Returns the key of the order's design, if it names one. Throws a 400 with the faults that a schema cannot express. */
    async assertOrder(store: string, order: OrderOfStores) {
      const tenant = tenantOf(store);
      assertFaultless(campaignFaults(order));
      const unknown: Fault[] = [];
      for (const [index, storeId] of order.storeIds.entries())
        if ((await findStore(tenantIdOf(tenant), storeId)) === undefined)
          unknown.push({ pointer: `/storeIds/${index}`, detail: `the store "${storeId}" does not exist` });
      const design = order.designId === undefined ? undefined : fullDesignKey(tenant, order.designId);
      if (
        order.designId !== undefined &&
        (design === undefined || !(await records.read(designs, [design])).has(design))
      )
        unknown.push({ pointer: "/designId", detail: `the design "${order.designId}" does not exist` });
      assertFaultless(unknown);
      return design;
    },

    /** Returns the campaign as written; undefined if it did not change. */
    async change(
      key: string,
      decide: (current: Stored<Campaign> | undefined) => Campaign | undefined,
    ): Promise<Stored<Campaign> | undefined> {
      return (await commit.change(campaigns, [key], (_, current) => decide(current), "interactive")).get(key);
    },

    storeKeys: (tenant: string, ids: readonly string[]): string[] =>
      ids.map((storeId) => storeKey(tenantIdOf(tenant), storeId)),
  };
}

/** Throws a 409 if a campaign has no items, or leaves some of them unchanged. */
export function assertComplete({ items = [], filter, prices, properties = {}, designId }: Campaign): void {
  if (items.length === 0 && filter === undefined)
    throw new ProblemError("conflict", 'The campaign has no items: set "items" or "filter" first.');
  const changesAll = hasPrices(prices) || Object.keys(properties).length > 0 || designId !== undefined;
  if (!changesAll && (filter !== undefined || items.some(({ price }) => price === undefined)))
    throw new ProblemError(
      "conflict",
      'The campaign does not change some of its items: set a price for each of them, or "prices", "properties" or "designId".',
    );
}
