import type { Chunk } from "../../records/requests/journal.ts";
import { withoutActor } from "../../schemas/cause.ts";
import type { RequestChunk } from "../../schemas/jobs.ts";
import type { JobToAdd, Publisher } from "../publish/publisher.ts";
import { queueOfJob } from "../topology.ts";

/** The fields from which the job of a journaled chunk is made. */
export type ChunkOfJob = Pick<
  Chunk,
  | "_id"
  | "store"
  | "number"
  | "index"
  | "ordered"
  | "size"
  | "weight"
  | "operation"
  | "urgency"
  | "generation"
  | "cause"
>;

/**
 * Adds the jobs of chunks, with one call per queue. Returns false if Redis did not accept all of them; the sweep finds the
 * others in the journal. `isAwaited`: interactive requests wait for these chunks, so their jobs go before bulk jobs.
 */
export async function addChunkJobs(
  publisher: Pick<Publisher, "enqueue">,
  chunks: readonly ChunkOfJob[],
  isAwaited = false,
): Promise<boolean> {
  const byQueue = Map.groupBy(chunks, ({ operation }) => queueOfJob(operation));
  const jobOf = (chunk: ChunkOfJob): JobToAdd => ({ ...chunkJob(chunk), ...(isAwaited && { isAwaited }) });
  const enqueued = [...byQueue].map(([queue, group]) => publisher.enqueue(queue, group.map(jobOf)));
  return (await Promise.all(enqueued)).every(Boolean);
}

/** Returns the job that carries a chunk. */
const chunkJob = (chunk: ChunkOfJob): JobToAdd => ({
  name: chunk.operation,
  data: chunkJobData(chunk),
  urgency: chunk.urgency,
  id: chunkJobId(chunk),
  cause: chunk.cause && withoutActor(chunk.cause),
});

/** Returns the data of a chunk's job: the chunk's key, never its rows. */
export const chunkJobData = ({
  _id,
  store,
  number,
  index,
  ordered,
  size,
  weight = size,
}: Omit<ChunkOfJob, "generation" | "operation" | "urgency">): RequestChunk => ({
  key: _id,
  store,
  number,
  index,
  ordered,
  size: weight,
});

/** Returns the id of a chunk's job. BullMQ ignores a job whose id it still has, so each generation has its own id. */
export const chunkJobId = ({ _id, generation }: Pick<Chunk, "_id" | "generation">): string => `${_id}~${generation}`;
