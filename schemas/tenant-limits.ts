/**
 * Fixed limits of one tenant (docs/bounds.md); the rates of its calls are settings. Above a limit, a call gets 429 if the count
 * falls by itself, and 409 if something must be removed first. Only concurrent calls can exceed a limit.
 */
export const tenantLimits = {
  /** Accepted rows that have no outcome yet. */
  rowsInFlight: 2_000_000,
  /** Chunks of accepted requests that have not been applied yet. Bounds large numbers of requests with a single row. */
  chunksInFlight: 50_000,
  /** Requests that hit price guards and are awaiting a decision. */
  heldRequests: 1_000,
  /**
   * Number of stored uploads, and their bytes: waiting files, files from which designs and page images are drawn, and files
   * that have not been deleted yet.
   */
  uploads: 100_000,
  uploadBytes: 4 * 2 ** 30,
  /** Events waiting for subscriptions' receivers. Above this, the subscription with the most waiting events is stopped. */
  deliveriesWaiting: 500_000,
  /** Tails that one process of the API keeps open. */
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
  /** Stored versions of packs, designs and canvas designs; above the limit, the oldest are deleted. */
  versions: 20_000,
  /** Records of publications; above the limit, the oldest are deleted. */
  publications: 2_000,
  /** Campaigns, including ended ones until they are deleted. */
  campaigns: 1_000,
  subscriptions: 100,
  apiUsers: 1_000,
};

/** Maximum number of tenants in an installation; above it, the response is 409. */
export const platformLimits = { tenants: 10_000 };
