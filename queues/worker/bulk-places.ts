/** Decides which bulk jobs a process takes in addition to its current ones. */
export interface BulkPlaces {
  /** Takes a place for a tenant's job; false if no place is left for the tenant. */
  take(tenant: string): boolean;
  leave(tenant: string): void;
}

/** The fraction of a process's jobs that may be bulk, so that there is always room for interactive jobs. */
const BULK_SHARE = 0.75;
/**
 * An additional fraction for tenants without a bulk job in the process, because other tenants' jobs may fill `BULK_SHARE`, and
 * a tenant needs a job to get a turn.
 */
const SHARE_OF_NEW_TENANTS = 0.125;

/** `concurrency`: how many jobs the process takes at the same time. */
export function createBulkPlaces(concurrency: number): BulkPlaces {
  const places = Math.ceil(concurrency * BULK_SHARE);
  const placesWithNew = Math.min(concurrency, places + Math.floor(concurrency * SHARE_OF_NEW_TENANTS));
  const byTenant = new Map<string, number>();
  let taken = 0;

  return {
    take(tenant) {
      const own = byTenant.get(tenant) ?? 0;
      if (taken >= (own === 0 ? placesWithNew : places)) return false;
      byTenant.set(tenant, own + 1);
      taken += 1;
      return true;
    },
    leave(tenant) {
      const left = (byTenant.get(tenant) ?? 0) - 1;
      if (left > 0) byTenant.set(tenant, left);
      else byTenant.delete(tenant);
      taken -= 1;
    },
  };
}
