import { LRUCache } from "lru-cache";
import type { CareOfType } from "../../domain/labels/care/battery-due.ts";
import { readTypesByNumber } from "../../records/linking/types-by-number.ts";
import type { Records } from "../../records/records.ts";

/** Reads what tenants' label types specify about the care of labels, by tenant and number. */
export type CareOfTypes = (tenants: readonly string[]) => Promise<ReadonlyMap<string, ReadonlyMap<number, CareOfType>>>;

const CACHE_TTL_MS = 60_000;
const MAX_CACHED_TENANTS = 1_000;

/** Reads label types once per minute and tenant, not for each report; a change takes effect within a minute. */
export function createCareOfTypes(records: Records, clock: () => number): CareOfTypes {
  const known = new LRUCache<string, { types: ReadonlyMap<number, CareOfType>; readAt: number }>({
    max: MAX_CACHED_TENANTS,
  });

  async function ofTenant(tenant: string): Promise<ReadonlyMap<number, CareOfType>> {
    const cached = known.get(tenant);
    if (cached && clock() - cached.readAt < CACHE_TTL_MS) return cached.types;
    const all = await readTypesByNumber(records, tenant);
    const types = new Map([...all].map(([number, type]) => [number, careIn(type)]));
    known.set(tenant, { types, readAt: clock() });
    return types;
  }

  return async (tenants) =>
    new Map(await Promise.all([...new Set(tenants)].map(async (tenant) => [tenant, await ofTenant(tenant)] as const)));
}

const careIn = ({ batteryRefreshes, fullRefreshAfter }: CareOfType): CareOfType => ({
  ...(batteryRefreshes !== undefined && { batteryRefreshes }),
  ...(fullRefreshAfter !== undefined && { fullRefreshAfter }),
});
