import type { Db } from "mongodb";
import { within } from "../records/client.ts";
import type { Stored } from "../records/kind.ts";
import { stores } from "../records/kinds/store.ts";
import { tenants } from "../records/kinds/tenant.ts";
import type { Records } from "../records/records.ts";
import { storeKey, tenantKey } from "../schemas/keys.ts";
import type { Store, Tenant } from "../schemas/tenant.ts";

const CACHE_TTL_MS = 5_000;
/** A call that needs the store and the journal must be refused within 3 s when the database is away. */
const TIMEOUT_MS = 900;

/** Finds a store by its ids. A store that was found is remembered for some seconds. */
export function createStoreFinder(db: Db, clock: () => number) {
  const known = new Map<string, { store: Stored<Store>; readAt: number }>();

  return async (tenantId: string, storeId: string): Promise<Stored<Store> | undefined> => {
    const key = storeKey(tenantId, storeId);
    const remembered = known.get(key);
    if (remembered && clock() - remembered.readAt < CACHE_TTL_MS) return remembered.store;
    const store = await within(TIMEOUT_MS, db.collection<Stored<Store>>(stores.name).findOne({ _id: key }));
    if (store === null) {
      known.delete(key);
      return undefined;
    }
    known.set(key, { store, readAt: clock() });
    return store;
  };
}

/** Finds a tenant by its id. */
export const createTenantFinder =
  (records: Records) =>
  async (tenantId: string): Promise<Stored<Tenant> | undefined> => {
    const key = tenantKey(tenantId);
    return (await within(TIMEOUT_MS, records.read(tenants, [key]))).get(key);
  };
