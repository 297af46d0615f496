import { Type } from "typebox";
import type { Commit } from "../../queues/changes/commit.ts";
import type { Stored } from "../../records/kind.ts";
import { stores as kind } from "../../records/kinds/store.ts";
import { type Records, readAll } from "../../records/records.ts";
import { storeIds, storeKey, tenantIdOf } from "../../schemas/keys.ts";
import type { Fault } from "../../schemas/problem.ts";
import { Store } from "../../schemas/tenant.ts";
import { tenantLimits } from "../../schemas/tenant-limits.ts";
import { plainId } from "../../schemas/text.ts";
import { knownFields } from "../http/known-fields.ts";
import { ProblemError } from "../http/problem-error.ts";
import { tenantRoute } from "../http/route.ts";
import { assertFaultless, missing } from "./find-records.ts";
import { assertSeen, taggedAnswer } from "./preconditions.ts";

export interface StoresWorld {
  records: Records;
  commit: Commit;
}

const StorePath = Type.Object({
  storeId: plainId("Id of the store"),
});
const StoreAnswer = Type.Object({ storeId: Type.String(), ...Store.properties }, { title: "StoreAnswer" });

/** The stores of a tenant. PUT makes a store; its items and labels are written over its own interface. */
export const stores = ({ records, commit }: StoresWorld) => {
  const keyOf = (tenant: string, storeId: string) => storeKey(tenantIdOf(tenant), storeId);
  const find = async (tenant: string, storeId: string) => {
    const key = keyOf(tenant, storeId);
    return (await records.read(kind, [key])).get(key);
  };

  /** Stores are not deleted, so each counts. */
  async function assertRoom(tenant: string, storeId: string): Promise<void> {
    if ((await find(tenant, storeId)) !== undefined) return;
    const present = await records.count(kind, keyOf(tenant, ""));
    if (present >= tenantLimits.stores) {
      const detail = `A tenant has at most ${tenantLimits.stores} stores; this one has ${present}. Change one of them instead.`;
      throw new ProblemError("conflict", detail);
    }
  }

  return [
    tenantRoute({
      method: "GET",
      path: "/stores",
      operationId: "listStores",
      summary: "Every store of the tenant",
      scope: "ops",
      answers: { 200: Type.Array(StoreAnswer) },
      handle: async ({ tenant }) => ({
        status: 200,
        body: (await readAll(records, kind, `${tenant}/s/`)).map(answerOf),
      }),
    }),

    tenantRoute({
      method: "GET",
      path: "/stores/:storeId",
      operationId: "getStore",
      summary: "One store",
      scope: "ops",
      params: StorePath,
      isTagged: true,
      answers: { 200: StoreAnswer },
      problems: ["not-found"],
      handle: async ({ tenant, params: { storeId } }) => {
        const store = await find(tenant, storeId);
        if (store === undefined) throw missing("store", storeId);
        return { status: 200, body: answerOf(store) };
      },
    }),

    tenantRoute({
      method: "PUT",
      path: "/stores/:storeId",
      operationId: "putStore",
      summary: "Make or change a store",
      description:
        "Processes know of a change within seconds. Labels that show prices are drawn anew for another locale or " +
        "currency when their item next changes, at the latest by the next audit.",
      scope: "ops:write",
      params: StorePath,
      body: Store,
      isGuarded: true,
      answers: { 200: StoreAnswer },
      problems: ["conflict"],
      handle: async ({ tenant, params: { storeId }, body, header }) => {
        const store = knownFields(Store, body);
        assertFaultless(faultsOf(store));
        const key = keyOf(tenant, storeId);
        await assertRoom(tenant, storeId);
        const save = (_: string, current: Stored<Store> | undefined) => {
          assertSeen(header, current && answerOf(current), `The store "${storeId}"`);
          return store;
        };
        const saved = (await commit.change(kind, [key], save, "interactive")).get(key) ?? (await find(tenant, storeId));
        if (saved === undefined) throw new ProblemError("not-found", `There is no store "${storeId}".`);
        return taggedAnswer(200, answerOf(saved));
      },
    }),
  ];
};

const answerOf = ({ _id, name, timeZone, currency, locale, linkDepartments, parameters }: Stored<Store>) => ({
  storeId: storeIds(_id).storeId,
  name,
  timeZone,
  currency,
  locale,
  linkDepartments,
  ...(parameters && { parameters }),
});

/** Faults that a schema cannot express: unknown zones and locales, and departments that share an id or alias. */
function faultsOf({ timeZone, locale, linkDepartments }: Store): Fault[] {
  const names = linkDepartments.flatMap(({ id, alias = id }) => [...new Set([id, alias])]);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  return [
    ...(isAccepted(() => new Intl.DateTimeFormat("en", { timeZone }))
      ? []
      : [{ pointer: "/timeZone", detail: `"${timeZone}" is no IANA time zone` }]),
    ...(isAccepted(() => new Intl.Locale(locale)) ? [] : [{ pointer: "/locale", detail: `"${locale}" is no locale` }]),
    ...(twice === undefined ? [] : [{ pointer: "/linkDepartments", detail: `"${twice}" names two departments` }]),
  ];
}

function isAccepted(make: () => unknown): boolean {
  try {
    make();
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
