import type { ProcessCounts } from "./process-counts.ts";
import type { QueueName } from "./topology.ts";

/**
 * Maximum number of a tenant's bulk chunks that a queue holds at the same time, per process. They fill eight batches of the item
 * worker, so it has work while the next chunks arrive.
 */
export const MAX_CHUNKS_OF_TENANT = 16;
/** Maximum number of these chunks for one store: the other half is left to the tenant's other stores. */
export const MAX_CHUNKS_OF_STORE = 8;

/** Maximum number of bulk chunks, per tenant and per store, that a queue holds at the same time. */
export interface ChunkWindow {
  ofTenant: number;
  ofStore: number;
}

/** Returns the window of a queue that this many live processes serve. */
export const chunkWindow = (processes: number): ChunkWindow => ({
  ofTenant: processes * MAX_CHUNKS_OF_TENANT,
  ofStore: processes * MAX_CHUNKS_OF_STORE,
});

/**
 * If a tenant has at least `MAX_CHANGE_JOBS` jobs with changes in all queues together, and these have at least
 * `MAX_CHANGE_KEYS` keys, its chunks and walks wait in MongoDB. Such jobs take several seconds to draw, so no worker runs out
 * of work before the next chunk is applied. A process takes more jobs than this at the same time, so other tenants' jobs also
 * have room. Many jobs with few keys do not count: 32 single-row requests would keep the tenant's other rows waiting while the
 * workers are idle.
 */
export const MAX_CHANGE_JOBS = 32;
export const MAX_CHANGE_KEYS = 8_000;
/** With this many jobs or more, the tenant's work waits, no matter how few keys the jobs have. */
const MAX_SMALL_JOBS = 1_000;

/** A job that carries this number of changes. */
export interface ChangeJob {
  queue: QueueName;
  keys: number;
}

/**
 * Whether a tenant's jobs with changes fill its window. A queue with several processes completes jobs faster, so each job
 * counts only as a fraction. `jobs` may be a sample of `total` jobs.
 */
export function isWindowFull(jobs: readonly ChangeJob[], total: number, processes: ProcessCounts): boolean {
  if (jobs.length === 0) return false;
  const sum = (weigh: (job: ChangeJob) => number): number =>
    (jobs.reduce((weight, job) => weight + weigh(job) / processes[job.queue], 0) * total) / jobs.length;
  const count = sum(() => 1);
  const isMuch = count >= MAX_CHANGE_JOBS && sum(({ keys }) => keys) >= MAX_CHANGE_KEYS;
  return isMuch || count >= MAX_SMALL_JOBS;
}
