import type { Job } from "bullmq";
import type { ChunkHead, Journal } from "../../records/requests/journal.ts";
import type { Numbers } from "../../records/requests/numbers.ts";
import type { OpenChunks } from "../../records/requests/open-chunks.ts";
import { tenantOf } from "../../schemas/keys.ts";
import { priorityOf, urgencyOfJob } from "../publish/priority.ts";
import type { Publisher } from "../publish/publisher.ts";
import { type QueueName, queueOfJob } from "../topology.ts";
import type { AdmitChunks } from "./admit-chunks.ts";
import { chunkJobId } from "./chunk-jobs.ts";

type Raised = Pick<Job, "priority" | "isDelayed" | "promote" | "changePriority">;

interface Dependencies {
  journal: Pick<Journal, "readRequest">;
  numbers: Pick<Numbers, "progress" | "progressAfter">;
  openChunks: Pick<OpenChunks, "isAwaited">;
  publisher: Pick<Publisher, "isReady"> & {
    queue(name: QueueName, owner: string): { getJob(id: string): Promise<Raised | undefined> };
  };
  admitChunks: AdmitChunks;
  onError(error: Error): void;
}

/**
 * Promotes the delayed job of a store's next request, whose turn has come, so that it does not wait for the rest of its delay.
 * A bulk request that blocks an interactive request of the store inherits that request's urgency: its jobs precede bulk jobs,
 * and its chunks enter Redis immediately (docs/architecture/queues.md#turns). Best effort: a job that is not promoted runs when
 * its delay ends.
 */
export function createPromoteNext({ journal, numbers, openChunks, publisher, admitChunks, onError }: Dependencies) {
  const jobOf = (chunk: ChunkHead) =>
    publisher.queue(queueOfJob(chunk.operation), chunk.store).getJob(chunkJobId(chunk));

  /** Raises the priority of chunks' jobs to that of interactive jobs; chunks without a job enter Redis. */
  async function raise(chunks: readonly ChunkHead[], store: string): Promise<void> {
    const jobs = await Promise.all(chunks.map(jobOf));
    for (const job of jobs)
      if (job && urgencyOfJob(job) === "bulk") await job.changePriority({ priority: priorityOf.interactive });
    if (jobs.includes(undefined)) await admitChunks(tenantOf(store));
  }

  async function promoteNext(store: string, settled: readonly ChunkHead[]): Promise<void> {
    const known = settled.length > 0 ? numbers.progressAfter(store, settled) : numbers.progress(store);
    const { settledThrough, last } = await known;
    if (settledThrough === last) return;
    const next = settledThrough + 1;
    const open = (await journal.readRequest(store, next)).filter((chunk) => chunk.open);
    const [first] = open;
    if (first === undefined || !publisher.isReady()) return;
    if (first.urgency === "bulk" && (await openChunks.isAwaited(store, next))) await raise(open, store);
    const job = await jobOf(first);
    if (await job?.isDelayed()) await job?.promote();
  }

  /** `settled`: the store's chunks that this process has just settled. */
  return (store: string, settled: readonly ChunkHead[] = []): Promise<void> =>
    promoteNext(store, settled).catch(onError);
}
