import type { Db } from "mongodb";
import { stores } from "../../records/kinds/tenants.ts";
import type { Records } from "../../records/records.ts";
import { keysUnder, storeKey, tenantIdOf } from "../../schemas/keys.ts";

/** The time zone of an unknown store. */
const NO_ZONE = "UTC";

/** Reads the time zones of stores; returns a function that looks up a store's zone by its key. */
export async function readZones(records: Records, storeKeys: readonly string[]): Promise<(store: string) => string> {
  const found = await records.readFields(stores, [...new Set(storeKeys)], ["timeZone"]);
  return (store) => found.get(store)?.timeZone ?? NO_ZONE;
}

/** Reads the time zones in which a tenant has stores, each once. */
export const zonesOfTenant = async (db: Db, tenant: string): Promise<string[]> =>
  db
    .collection<{ _id: string }>(stores.name)
    .distinct("timeZone", { _id: keysUnder(storeKey(tenantIdOf(tenant), "")) });
