/**
 * Fixed limits of one tenant (docs/bounds.md); the rates of its calls are settings. What goes away by itself is rejected
 * with 429 above its limit, what must be removed first with 409. The counts are exact except for calls that are
 * answered at the same moment.
 */
export const tenantLimits = {
  /** Accepted rows that have no outcome yet. */
  rowsInFlight: 2_000_000,
  /** Chunks of accepted requests that have not been applied yet: limits many requests of a single row. */
  chunksInFlight: 50_000,
  /** Requests that hit price guards and wait for somebody to decide. */
  heldRequests: 1_000,
  /**
   * Stored uploads, and their bytes: files that wait, files that designs and page images are drawn from, and files that
   * have not been deleted yet.
   */
  uploads: 100_000,
  uploadBytes: 4 * 2 ** 30,
  /** Events that wait for a subscription's receiver. Above this, the subscription is stopped. */
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
  drafts: 2_000,
  /** Stored versions of packs, designs and canvas designs; above it the oldest go. */
  versions: 20_000,
  /** Records of publications; above it the oldest go. */
  publications: 2_000,
  /** Campaigns, those that are over among them until they are deleted. */
  campaigns: 1_000,
  subscriptions: 100,
  apiUsers: 1_000,
};

/** Maximum number of tenants of an installation; above it, 409. */
export const platformLimits = { tenants: 10_000 };
