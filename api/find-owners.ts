import { LRUCache } from "lru-cache";
import type { Db } from "mongodb";
import { stores, tenants } from "../records/kinds/tenants.ts";
import { listRecords } from "../records/list-records.ts";
import { within } from "../records/mongodb/unavailable.ts";
import type { Records } from "../records/records.ts";
import { storeKey, tenantKey } from "../schemas/keys.ts";
import { guardsOf } from "../schemas/price-guards.ts";
import type { Stored } from "../schemas/record.ts";
import type { StoreRecord } from "../schemas/store.ts";
import type { Tenant } from "../schemas/tenant.ts";

/**
 * Pattern for ids of tenants and stores in a path, which become part of record keys
 * (docs/architecture/records.md#addresses-and-keys).
 */
export const ID_PATTERN = /^[\w-]{1,64}$/;
const TENANTS_PREFIX = tenantKey("");
const CACHE_TTL_MS = 5_000;
const MAX_CACHED_STORES = 20_000;
/** Together with the journal's own timeout, this keeps a 503 within three seconds while the database is unreachable. */
const TIMEOUT_MS = 900;

/**
 * Finds a store by its ids. A store that was found is cached for CACHE_TTL_MS; a missing one is read again by each call.
 * The stores of a tenant that is being removed count as missing. A store's price guards include its tenant's.
 */
export function createStoreFinder(db: Db, clock: () => number, timeoutMs = TIMEOUT_MS) {
  const cache = new LRUCache<string, { store: Stored<StoreRecord>; readAt: number }>({ max: MAX_CACHED_STORES });

  return async (tenantId: string, storeId: string): Promise<Stored<StoreRecord> | undefined> => {
    const key = storeKey(tenantId, storeId);
    const cached = cache.get(key);
    if (cached && clock() - cached.readAt < CACHE_TTL_MS) return cached.store;
    const [store, tenant] = await within(
      timeoutMs,
      Promise.all([
        db.collection<Stored<StoreRecord>>(stores.name).findOne({ _id: key }),
        db.collection<Stored<Tenant>>(tenants.name).findOne({ _id: tenantKey(tenantId) }),
      ]),
    );
    if (store === null || tenant?.removal) {
      cache.delete(key);
      return undefined;
    }
    const priceGuards = guardsOf(tenant?.priceGuards, store.priceGuards);
    const found = priceGuards === undefined ? store : { ...store, priceGuards };
    cache.set(key, { store: found, readAt: clock() });
    return found;
  };
}

const STORES_TTL_MS = 5_000;

/**
 * Returns the path of a store whose ids are spelled in a host name, since host names are lowercase and ids need not be. The
 * exact spelling takes precedence; among several stores that differ only in case, the first by key is used. All keys are read
 * at most once per STORES_TTL_MS, regardless of how many unknown host names strangers send.
 */
export function createStoreLocator(db: Db, findStore: ReturnType<typeof createStoreFinder>, clock: () => number) {
  let known: { keys: Promise<Map<string, string>>; readAt: number } | undefined;

  async function readKeys(): Promise<Map<string, string>> {
    const keys = new Map<string, string>();
    for await (const batch of listRecords(db, stores, { prefix: TENANTS_PREFIX, fields: ["_id"] }))
      for (const { _id } of batch) if (!keys.has(_id.toLowerCase())) keys.set(_id.toLowerCase(), _id);
    return keys;
  }

  return async (tenantId: string, storeId: string): Promise<string> => {
    if (await findStore(tenantId, storeId)) return `/${storeKey(tenantId, storeId)}`;
    if (known === undefined || clock() - known.readAt >= STORES_TTL_MS) known = { keys: readKeys(), readAt: clock() };
    const key = storeKey(tenantId, storeId);
    return `/${(await known.keys.catch(() => undefined))?.get(key.toLowerCase()) ?? key}`;
  };
}

/** Finds a tenant by its id, unless it is being removed; tenants are not cached. */
export const createTenantFinder =
  (records: Records, timeoutMs = TIMEOUT_MS) =>
  async (tenantId: string): Promise<Stored<Tenant> | undefined> => {
    const key = tenantKey(tenantId);
    const tenant = (await within(timeoutMs, records.read(tenants, [key]))).get(key);
    return tenant?.removal ? undefined : tenant;
  };

/** Returns when the data of a tenant that is being removed will be deleted. */
export const createRemovalReader =
  (records: Records, timeoutMs = TIMEOUT_MS) =>
  async (tenantId: string): Promise<Date | undefined> => {
    const key = tenantKey(tenantId);
    return (await within(timeoutMs, records.readFields(tenants, [key], ["removal"]))).get(key)?.removal?.due;
  };

/** If this tenant is being removed, returns a message that says so and until when it can be restored; if not, `detail`. */
export async function removalOr(
  readRemoval: ReturnType<typeof createRemovalReader>,
  tenantId: string,
  detail: string,
): Promise<string> {
  const due = ID_PATTERN.test(tenantId) ? await readRemoval(tenantId) : undefined;
  if (due === undefined) return detail;
  return `The tenant "${tenantId}" is being removed; the operator can restore it until ${due.toISOString()}.`;
}

/** Returns the keys of the installation's tenants, at most `limit`. */
export const createTenantKeys = (db: Db, limit: number) => async (): Promise<readonly string[]> => {
  const found: string[] = [];
  const list = listRecords(db, tenants, { prefix: TENANTS_PREFIX, limit, fields: ["_id"] });
  for await (const batch of list) found.push(...batch.map(({ _id }) => _id));
  return found;
};
