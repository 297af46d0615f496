import type { Db } from "mongodb";
import { within } from "../records/client.ts";
import type { Stored } from "../records/kind.ts";
import { stores } from "../records/kinds/store.ts";
import { tenants } from "../records/kinds/tenant.ts";
import { listRecords } from "../records/list-records.ts";
import type { Records } from "../records/records.ts";
import { storeKey, tenantKey } from "../schemas/keys.ts";
import type { Store, Tenant } from "../schemas/tenant.ts";

const TENANTS_PREFIX = tenantKey("");
const CACHE_TTL_MS = 5_000;
/** With the journal's own timeout this keeps a 503 within three seconds while the database is away. */
const TIMEOUT_MS = 900;

/**
 * Finds a store by its ids. A found store is cached for CACHE_TTL_MS; a missing one is read again by each call. The stores
 * of a tenant that is being removed are missing.
 */
export function createStoreFinder(db: Db, clock: () => number) {
  const cache = new Map<string, { store: Stored<Store>; readAt: number }>();

  return async (tenantId: string, storeId: string): Promise<Stored<Store> | undefined> => {
    const key = storeKey(tenantId, storeId);
    const cached = cache.get(key);
    if (cached && clock() - cached.readAt < CACHE_TTL_MS) return cached.store;
    const [store, tenant] = await within(
      TIMEOUT_MS,
      Promise.all([
        db.collection<Stored<Store>>(stores.name).findOne({ _id: key }),
        db.collection<Stored<Tenant>>(tenants.name).findOne({ _id: tenantKey(tenantId) }),
      ]),
    );
    if (store === null || tenant?.removal) {
      cache.delete(key);
      return undefined;
    }
    cache.set(key, { store, readAt: clock() });
    return store;
  };
}

/** Finds a tenant by its id, unless it is being removed; it is not cached. */
export const createTenantFinder =
  (records: Records) =>
  async (tenantId: string): Promise<Stored<Tenant> | undefined> => {
    const key = tenantKey(tenantId);
    const tenant = (await within(TIMEOUT_MS, records.read(tenants, [key]))).get(key);
    return tenant?.removal ? undefined : tenant;
  };

/** Gives the keys of the installation's tenants, `limit` at most. */
export const createTenantKeys = (db: Db, limit: number) => async (): Promise<readonly string[]> => {
  const found: string[] = [];
  const list = listRecords(db, tenants, { prefix: TENANTS_PREFIX, limit, fields: ["_id"] });
  for await (const batch of list) found.push(...batch.map(({ _id }) => _id));
  return found;
};
