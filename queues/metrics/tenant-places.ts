/** The metrics have separate series for at most this many tenants, and shared series for all others. */
export const MAX_TENANTS = 50;
/** The label's value for all other tenants. A tenant with this id has no separate series. */
const OTHER = "other";
/** Maximum number of tenants whose activity is kept between two calls of `takeActivity`. */
const MAX_KNOWN = 10_000;

/** Which tenants have their own series. */
export interface TenantPlaces {
  /** Counts this much activity of a tenant; returns the tenant's value for the label. */
  labelOf(tenant: string, amount: number): string;
  /** Returns how much each tenant has done since the last call. */
  takeActivity(): ReadonlyMap<string, number>;
  /** Assigns the places to these tenants, and returns the tenants that have lost their place. */
  giveTo(tenants: readonly string[]): string[];
}

/**
 * Decides which tenants have a place. A tenant is counted in its own series while it has a place, and otherwise in the shared
 * series. So a series never decreases unless it ends, which Prometheus treats as a restart. Until the busiest tenants are
 * known, places are assigned in order of arrival.
 */
export function createTenantPlaces(maxTenants = MAX_TENANTS): TenantPlaces {
  let placed = new Set<string>();
  let activity = new Map<string, number>();
  let isRanked = false;
  return {
    labelOf(tenant, amount) {
      const known = activity.get(tenant);
      if (known !== undefined || activity.size < MAX_KNOWN) activity.set(tenant, (known ?? 0) + amount);
      if (placed.has(tenant)) return tenant;
      if (isRanked || placed.size >= maxTenants || tenant === OTHER) return OTHER;
      placed.add(tenant);
      return tenant;
    },

    takeActivity() {
      const taken = activity;
      activity = new Map();
      return taken;
    },

    giveTo(tenants) {
      const next = new Set(tenants.filter((tenant) => tenant !== OTHER).slice(0, maxTenants));
      const left = [...placed].filter((tenant) => !next.has(tenant));
      placed = next;
      isRanked = true;
      return left;
    },
  };
}
