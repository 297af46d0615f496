/**
 * How much one tenant may have (docs/bounds.md). What passes by itself is refused with 429 beyond its bound,
 * what must be removed first with 409. The counts are exact but for calls that are answered at the same moment.
 */
export const tenantLimits = {
  /** Rows that were accepted and have no outcome yet. */
  rowsInFlight: 2_000_000,
  /** Chunks of requests that were accepted and not applied yet: many requests of a single row. */
  chunksInFlight: 50_000,
  /**
   * Uploaded files that are stored, and their bytes: those that wait, those that designs and page images are drawn from, and
   * those not deleted yet.
   */
  uploads: 100_000,
  uploadBytes: 4 * 2 ** 30,
  /** Events that wait for a subscription's receiver. With more the subscription is stopped. */
  deliveriesWaiting: 500_000,
  /** Tails that a process of the API keeps open. */
  tails: 50,
  stores: 10_000,
  labelTypes: 1_000,
  models: 1_000,
  labelServers: 100,
  designs: 2_000,
  canvasDesigns: 2_000,
  images: 1_000,
  fonts: 50,
  communicationPacks: 100,
  subscriptions: 100,
  apiUsers: 1_000,
};

/** How many tenants an installation may have; beyond it 409. */
export const platformLimits = { tenants: 10_000 };
