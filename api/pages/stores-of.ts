import { stores } from "../../records/kinds/tenants.ts";
import { within } from "../../records/mongodb/unavailable.ts";
import type { Records } from "../../records/records.ts";
import { storeIds, storeKey } from "../../schemas/keys.ts";
import type { Permit } from "../access/verify-token.ts";
import { createRemovalReader, createTenantFinder, removalOr } from "../find-owners.ts";
import { ProblemError } from "../http/problem-error.ts";
import type { StoreChoice } from "./visit.ts";

/**
 * Reads a session's stores, ordered by id, with the fields that pages show. Throws if the database is unreachable or, for
 * a session for all stores, if the tenant no longer exists.
 */
export type StoresOf = (permit: Permit) => Promise<readonly StoreChoice[]>;

const SHOWN = ["name", "currency", "timeZone"] as const;
/** Time limit for reading all stores of a retailer that has thousands. */
const TIMEOUT_MS = 5_000;

/**
 * A store's name, currency and time zone are visible to everyone who has any permission for it, since without them a
 * page could neither name the store nor write a price or time as its staff do. All other fields of a store require the
 * management interface. `patienceMs` as for `openApi`.
 */
export function createStoresOf(records: Records, patienceMs?: number): StoresOf {
  const [findTenant, readRemoval] = [createTenantFinder(records, patienceMs), createRemovalReader(records, patienceMs)];

  async function ofTenant(tenant: string): Promise<StoreChoice[]> {
    if (await findTenant(tenant)) return all(records, tenant);
    throw new ProblemError(
      "unknown-tenant",
      await removalOr(readRemoval, tenant, `The tenant "${tenant}" does not exist.`),
    );
  }

  return async ({ tenant, stores: own, scopes }) => {
    // The operator belongs to no tenant.
    if (scopes.size === 0 || tenant === "") return [];
    return within(patienceMs ?? TIMEOUT_MS, own === "*" ? ofTenant(tenant) : some(records, tenant, own));
  };
}

async function all(records: Records, tenant: string): Promise<StoreChoice[]> {
  const found = (await Array.fromAsync(records.scanFields(stores, storeKey(tenant, ""), SHOWN))).flat();
  return found.map(({ _id, name, currency, timeZone }) => ({ id: storeIds(_id).storeId, name, currency, timeZone }));
}

/** The interface itself rejects a store that does not exist, so the store remains in the list under its id. */
async function some(records: Records, tenant: string, own: ReadonlySet<string>): Promise<StoreChoice[]> {
  const ids = [...own].sort();
  const keyOf = (id: string) => storeKey(tenant, id);
  const found = await records.readFields(stores, ids.map(keyOf), SHOWN);
  return ids.map((id) => {
    const { name = id, currency, timeZone } = found.get(keyOf(id)) ?? {};
    return { id, name, ...(currency && { currency }), ...(timeZone && { timeZone }) };
  });
}
