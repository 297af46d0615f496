import type { Journal } from "../../records/requests/journal.ts";
import {
  type OpenChunk,
  type OpenChunks,
  type OpenChunksCursor,
  readGraceEnd,
  urgenciesInOrder,
} from "../../records/requests/open-chunks.ts";
import { tenantOf } from "../../schemas/keys.ts";
import type { Urgency } from "../../schemas/urgency.ts";
import type { BulkJobs } from "../publish/bulk-jobs.ts";
import type { Publisher } from "../publish/publisher.ts";
import { queueOfJob } from "../topology.ts";
import type { AdmitChunks } from "./admit-chunks.ts";
import { addChunkJobs, chunkJobData, chunkJobId } from "./chunk-jobs.ts";

interface Dependencies {
  openChunks: OpenChunks;
  journal: Pick<Journal, "beginNextGeneration" | "settle">;
  publisher: Publisher;
  bulkJobs: Pick<BulkJobs, "read" | "leave">;
  admitChunks: AdmitChunks;
  clock(): number;
}

/** The result of a pass. */
interface Pass {
  enqueued: number;
  /** Whether the pass ran out of time before it had examined every open chunk: the next pass continues from there. */
  isCut: boolean;
}

/** Number of chunks that are read, and of jobs that are looked up in Redis, at a time. */
const CHUNKS_PER_PAGE = 200;
const MAX_PASS_MS = 5000;

const unfinished = new Set(["waiting", "prioritized", "delayed", "active"]);

/**
 * Enqueues the open chunks that no job carries, after a process was killed or Redis was unavailable. Interactive chunks come
 * before bulk chunks, and older chunks before newer ones. A pass ends after `MAX_PASS_MS`, and the next pass continues there, so
 * that every chunk is checked, no matter how many there are. Chunks that will never take effect are closed.
 */
export function createEnqueueLostChunks({
  openChunks,
  journal,
  publisher,
  bulkJobs,
  admitChunks,
  clock,
}: Dependencies): () => Promise<Pass> {
  const cursors = new Map<Urgency, OpenChunksCursor | undefined>();

  async function hasJob(chunk: OpenChunk): Promise<boolean> {
    const queue = publisher.queue(queueOfJob(chunk.operation), chunk.store);
    return unfinished.has(await queue.getJobState(chunkJobId(chunk)));
  }

  /** Enqueues a page's chunks that have no job; undefined if Redis does not accept them. */
  async function enqueueLost(chunks: readonly OpenChunk[]): Promise<number | undefined> {
    // Checks one page at a time: a page's commands are sent together, and the next page's only after Redis has responded.
    const haveJobs = await Promise.all(chunks.map(hasJob));
    const lost = chunks.filter((_, index) => !haveJobs[index]);
    if (lost.length === 0) return 0;
    await journal.beginNextGeneration(lost);
    const next = lost.map((chunk) => ({ ...chunk, generation: chunk.generation + 1 }));
    return (await addChunkJobs(publisher, next)) ? lost.length : undefined;
  }

  /**
   * Bulk chunks without a job wait for their turn (docs/architecture/queues.md#turns), except those that are still counted as
   * jobs, since their jobs were lost.
   */
  async function enqueueBulk(chunks: readonly OpenChunk[]): Promise<number | undefined> {
    let enqueued = 0;
    for (const [tenant, group] of Map.groupBy(chunks, ({ store }) => tenantOf(store))) {
      const counted = new Set((await bulkJobs.read(tenant)).chunks.map(({ jobId }) => jobId));
      const gone = group.filter((chunk) => counted.has(chunkJobId(chunk)));
      const hadJobs = await Promise.all(gone.map(hasJob));
      const lost = gone.filter((_, index) => !hadJobs[index]);
      await bulkJobs.leave(lost.map((chunk) => ({ ...countedJob(chunk), data: chunkJobData(chunk) })));
      const again = await enqueueLost(lost);
      const entered = await admitChunks(tenant);
      if (again === undefined || entered === undefined) return undefined;
      enqueued += again + entered;
    }
    return enqueued;
  }

  return async () => {
    const endsAt = clock() + MAX_PASS_MS;
    const before = await readGraceEnd(openChunks);
    let enqueued = 0;
    for (const urgency of urgenciesInOrder) {
      // Reads at least one page of each urgency, so that bulk chunks make progress no matter how many interactive chunks there
      // are.
      do {
        const { chunks, dead, next } = await openChunks.readPage(urgency, cursors.get(urgency), CHUNKS_PER_PAGE);
        // Dead chunks get no outcomes, since their callers were rejected. If they stayed open, they would count as in flight
        // forever.
        if (dead.length > 0) await journal.settle(new Map(dead.map((key) => [key, []])));
        const old = chunks.filter(({ wholeAt }) => wholeAt.getTime() < before);
        const count = await (urgency === "bulk" ? enqueueBulk(old) : enqueueLost(old));
        // While bulk work has to wait because Redis is full, the next pass checks it again.
        if (count === undefined) break;
        enqueued += count;
        cursors.set(urgency, next);
      } while (cursors.get(urgency) !== undefined && clock() < endsAt);
    }
    return { enqueued, isCut: [...cursors.values()].some((cursor) => cursor !== undefined) };
  };
}

const countedJob = (chunk: OpenChunk) => ({
  queue: queueOfJob(chunk.operation),
  id: chunkJobId(chunk),
  urgency: chunk.urgency,
});
