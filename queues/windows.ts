import type { ProcessCounts } from "./process-counts.ts";
import type { QueueName } from "./topology.ts";

/**
 * Bulk chunks of one tenant that a queue holds at the same time for each of its processes: eight batches of the item
 * worker, so that it has work while the next chunks come.
 */
export const MAX_CHUNKS_OF_TENANT = 16;
/** Of these, the chunks of one store: the other half is for its other stores. */
export const MAX_CHUNKS_OF_STORE = 8;

/** How many bulk chunks of a tenant, and of one of its stores, a queue holds at the same time. */
export interface ChunkWindow {
  ofTenant: number;
  ofStore: number;
}

/** The window of a queue that so many living processes serve. */
export const chunkWindow = (processes: number): ChunkWindow => ({
  ofTenant: processes * MAX_CHUNKS_OF_TENANT,
  ofStore: processes * MAX_CHUNKS_OF_STORE,
});

/**
 * Above this number of a tenant's jobs of changes, over all queues, and of their keys, its chunks and walks wait in
 * MongoDB: some seconds of drawing, so no worker runs out of work before the next chunk is applied. This is fewer jobs
 * than a process takes at the same time, so that there is room for another tenant's. If the keys are few, the number of
 * jobs alone does not count: requests of one row each are stored although nothing is drawn.
 */
export const MAX_CHANGE_JOBS = 32;
export const MAX_CHANGE_KEYS = 8_000;
/** However few keys they have. */
const MAX_SMALL_JOBS = 1_000;

/** A job that carries this number of changes. */
export interface ChangeJob {
  queue: QueueName;
  keys: number;
}

/**
 * Whether a tenant's jobs of changes fill its window. A queue with several processes is done with a job the sooner, so
 * the job counts only as a part. `jobs` may be a sample of them: all of them are `total`.
 */
export function isWindowFull(jobs: readonly ChangeJob[], total: number, processes: ProcessCounts): boolean {
  if (jobs.length === 0) return false;
  const sum = (weigh: (job: ChangeJob) => number): number =>
    (jobs.reduce((weight, job) => weight + weigh(job) / processes[job.queue], 0) * total) / jobs.length;
  const count = sum(() => 1);
  const isMuch = count >= MAX_CHANGE_JOBS && sum(({ keys }) => keys) >= MAX_CHANGE_KEYS;
  return isMuch || count >= MAX_SMALL_JOBS;
}
