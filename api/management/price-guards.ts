import { Type } from "typebox";
import { compare, priceNumber } from "../../domain/prices/price-number.ts";
import type { Commit } from "../../queues/changes/commit.ts";
import type { RecordKind } from "../../records/kind.ts";
import { stores, tenants } from "../../records/kinds/tenants.ts";
import type { Records } from "../../records/records.ts";
import { storeKey, tenantIdOf } from "../../schemas/keys.ts";
import { type Period, PriceGuards } from "../../schemas/price-guards.ts";
import { type Fault, faultAt } from "../../schemas/problem.ts";
import { refusalNotice } from "../../schemas/refusal-notice.ts";
import { plainId } from "../../schemas/text.ts";
import { knownFields } from "../body/without-unknown-fields.ts";
import { assertSeen, taggedAnswer } from "../http/preconditions.ts";
import { Nothing, tenantRoute } from "../http/route.ts";
import { assertFaultless, missing } from "./find-records.ts";

export interface PriceGuardsWorld {
  records: Records;
  commit: Commit;
}

/** A record that has price guards: a tenant or a store. */
interface Guarded {
  priceGuards?: PriceGuards;
}
type Header = (name: string) => string;

const NONE: PriceGuards = {};
const WHAT = "The price guards";
const StorePath = Type.Object({ storeId: plainId("Id of the store") });
const ABOUT =
  "Guards check prices before they are accepted; see the guide on price guards. They take effect within seconds. An empty body removes them all.";

/**
 * Operations on the price guards of a tenant and of a store; a store's guard replaces the tenant's guard of the same name
 * (docs/integrators/guards.md).
 */
export const priceGuards = ({ records, commit }: PriceGuardsWorld) => {
  async function read<Body extends Guarded>(kind: RecordKind<Body>, key: string, id: string): Promise<PriceGuards> {
    const found = (await records.read(kind, [key])).get(key);
    if (found === undefined) throw missing("store", id);
    return found.priceGuards ?? NONE;
  }

  async function write<Body extends Guarded>(
    kind: RecordKind<Body>,
    key: string,
    guards: PriceGuards | undefined,
    header: Header,
  ): Promise<void> {
    const decide = (_: string, current: Body | undefined): Body | undefined => {
      assertSeen(header, current?.priceGuards ?? NONE, WHAT);
      return current && { ...current, priceGuards: guards };
    };
    await commit.change(kind, [key], decide, "interactive");
  }

  async function put<Body extends Guarded>(kind: RecordKind<Body>, key: string, body: PriceGuards, header: Header) {
    assertFaultless(faultsOf(body));
    const guards = knownFields(PriceGuards, body);
    await write(kind, key, guards, header);
    return taggedAnswer(200, guards);
  }

  return [
    tenantRoute({
      method: "GET",
      path: "/price-guards",
      operationId: "getPriceGuards",
      summary: "Get the price guards of all stores",
      scope: "ops",
      isTagged: true,
      answers: { 200: PriceGuards },
      handle: async ({ tenant }) => ({ status: 200, body: await read(tenants, tenant, "") }),
    }),

    tenantRoute({
      method: "PUT",
      path: "/price-guards",
      operationId: "putPriceGuards",
      summary: "Set the price guards of all stores",
      description: ABOUT,
      scope: "ops:write",
      body: PriceGuards,
      isGuarded: true,
      answers: { 200: PriceGuards },
      handle: ({ tenant, body, header }) => put(tenants, tenant, body, header),
    }),

    tenantRoute({
      method: "GET",
      path: "/stores/:storeId/price-guards",
      operationId: "getStorePriceGuards",
      summary: "Get the price guards that a store has in place of its tenant's",
      scope: "ops",
      params: StorePath,
      isTagged: true,
      answers: { 200: PriceGuards },
      problems: ["not-found"],
      handle: async ({ tenant, params: { storeId } }) => ({
        status: 200,
        body: await read(stores, storeKey(tenantIdOf(tenant), storeId), storeId),
      }),
    }),

    tenantRoute({
      method: "PUT",
      path: "/stores/:storeId/price-guards",
      operationId: "putStorePriceGuards",
      summary: "Set the price guards that a store has in place of its tenant's",
      description: `Each replaces the tenant's guard of the same name; \`"windows": []\` or \`"change": {}\` switches it off for the store. ${ABOUT}`,
      scope: "ops:write",
      params: StorePath,
      body: PriceGuards,
      isGuarded: true,
      answers: { 200: PriceGuards },
      problems: ["not-found"],
      async handle({ tenant, params: { storeId }, body, header }) {
        const key = storeKey(tenantIdOf(tenant), storeId);
        await read(stores, key, storeId);
        return put(stores, key, body, header);
      },
    }),

    tenantRoute({
      method: "DELETE",
      path: "/stores/:storeId/price-guards",
      operationId: "deleteStorePriceGuards",
      summary: "Remove a store's own price guards, so that its tenant's apply",
      scope: "ops:write",
      params: StorePath,
      isGuarded: true,
      answers: { 204: Nothing },
      problems: ["not-found"],
      async handle({ tenant, params: { storeId }, header }) {
        const key = storeKey(tenantIdOf(tenant), storeId);
        await read(stores, key, storeId);
        await write(stores, key, undefined, header);
        return { status: 204 };
      },
    }),
  ];
};

/** Returns faults that a schema cannot express: a range without any price, and days that do not exist. */
function faultsOf({ range, windows = [], freezes = [] }: PriceGuards): Fault[] {
  const [least = "", most = ""] = [range?.least, range?.most];
  const [from, to] = [priceNumber(least), priceNumber(most)];
  return [
    ...(from && to && compare(from, to) > 0
      ? [faultAt("/range/most", refusalNotice("FIELD_SMALL", { limit: least, value: most }))]
      : []),
    ...windows.flatMap((window, index) => dayFaults(window, `/windows/${index}`)),
    ...freezes.flatMap((freeze, index) => dayFaults(freeze, `/freezes/${index}`)),
  ];
}

const dayFaults = (period: Period, at: string): Fault[] =>
  (["firstDate", "lastDate"] as const).flatMap((field) => {
    const day = period[field];
    if (day === undefined || new Date(`${day}T00:00:00Z`).toISOString().startsWith(day)) return [];
    return [faultAt(`${at}/${field}`, refusalNotice("FIELD_TIME", { form: "YYYY-MM-DD", value: `"${day}"` }))];
  });
