import { Type } from "typebox";
import { labelServersOf } from "../../domain/linking/label-server-of.ts";
import { type LabelServerHealth as Health, openLabelServerHealth } from "../../queues/publish/label-server-health.ts";
import type { System } from "../../queues/system.ts";
import { labelServers, stores } from "../../records/kinds/tenants.ts";
import { idOf, labelServerKey, storeIds, storeKey, tenantIdOf } from "../../schemas/keys.ts";
import { LabelServerHealth } from "../../schemas/label-server-health.ts";
import { PLATFORM } from "../../schemas/token.ts";
import { tenantRoute } from "../http/route.ts";

export type LabelServerHealthWorld = Pick<System, "records" | "publisher" | "redis">;

/** Whether the label servers of a tenant's stores respond (docs/operations/label-servers.md). */
export const labelServerHealth = (world: LabelServerHealthWorld) => [
  tenantRoute({
    method: "GET",
    path: "/label-server-health",
    operationId: "getLabelServerHealth",
    summary:
      "Report how the tenant's label servers respond: since when each has been unreachable, its last response and its last failure",
    description:
      "As reported by the processes that call them, with a delay of a few seconds. A label server is `UNKNOWN` while Redis is unavailable and, after Redis has lost its data, until the " +
      "next call.",
    scope: "ops",
    isForPlatform: true,
    answers: { 200: Type.Array(LabelServerHealth) },
    handle: async ({ tenant, permit }) => {
      const isOperator = permit.scopes.has(PLATFORM);
      return { status: 200, body: await readHealth(world, tenant, isOperator) };
    },
  }),
];

async function readHealth(
  { records, publisher, redis }: LabelServerHealthWorld,
  tenant: string,
  isOperator: boolean,
): Promise<LabelServerHealth[]> {
  const storesOn = new Map<string, string[]>();
  for await (const batch of records.scanKeys(labelServers, labelServerKey(tenant, "")))
    for (const key of batch) storesOn.set(key, []);
  for await (const batch of records.scanFields(stores, storeKey(tenantIdOf(tenant), ""), [
    "labelServer",
    "linkDepartments",
  ])) {
    for (const { _id, ...store } of batch)
      for (const id of labelServersOf(store)) {
        const key = id === undefined ? "" : labelServerKey(tenant, id);
        const named = storesOn.get(key);
        if (named === undefined) storesOn.set(key, [storeIds(_id).storeId]);
        else named.push(storeIds(_id).storeId);
      }
  }
  const keys = [...storesOn.keys()].sort();
  const known = publisher.isReady() ? await openLabelServerHealth(redis).read(keys).catch(awayMeanwhile) : [];
  return keys.map((key, index) => healthOf(key, storesOn.get(key) ?? [], known[index] ?? {}, isOperator));
}

/** While Redis cannot be reached, nothing is known. */
const awayMeanwhile = (): Health[] => [];

function healthOf(
  key: string,
  stores: string[],
  { awaySince, deniedSince, answeredAt, failure }: Health,
  isOperator: boolean,
): LabelServerHealth {
  // A response and an error message may name addresses in the operator's network.
  const detail = isOperator && failure?.detail ? failure.detail : undefined;
  return {
    labelServerId: key === "" ? null : idOf(key),
    stores,
    state: awaySince ? "AWAY" : deniedSince ? "DENIES" : answeredAt ? "ANSWERS" : "UNKNOWN",
    awaySince: awaySince?.toISOString() ?? null,
    deniedSince: deniedSince?.toISOString() ?? null,
    answeredAt: answeredAt?.toISOString() ?? null,
    lastFailure: failure
      ? {
          at: failure.at.toISOString(),
          reason: detail === undefined ? failure.reason : `${failure.reason}: ${detail}`,
          ...(failure.notice && { notice: failure.notice }),
          ...(detail !== undefined && { detail }),
        }
      : null,
  };
}
