import { createBatcher } from "../../queues/batch/batcher.ts";
import { chunkJobId } from "../../queues/changes/sweep.ts";
import type { Publisher } from "../../queues/publish/publisher.ts";
import { type ChunkOperation, queueOfJob } from "../../queues/topology.ts";
import type { AcceptedRequest, JournaledChunk } from "../../records/requests/accept.ts";
import { jobOf } from "../../records/requests/journal.ts";

/** Journals a request and enqueues its chunks; gives back the request's id. */
export type AcceptRows = (request: AcceptedRequest & { operation: ChunkOperation }) => Promise<number>;

const CHUNKS_PER_CALL = 500;

/**
 * Accepts requests: a journaled request will be applied. Enqueuing is not awaited and may fail, since the sweep enqueues
 * journaled chunks that no job carries (docs/architecture.md#accepted-is-never-lost).
 */
export function createAcceptRows(
  accept: (request: AcceptedRequest) => Promise<JournaledChunk[]>,
  publisher: Publisher,
): AcceptRows {
  const enqueue = createBatcher<JournaledChunk, boolean>({
    weigh: () => 1,
    maxWeight: CHUNKS_PER_CALL,
    async run(chunks) {
      const byQueue = Map.groupBy(chunks, ({ operation }) => queueOfJob(operation));
      const enqueued = [...byQueue].map(([queue, group]) =>
        publisher.enqueue(
          queue,
          group.map((chunk) => ({
            name: chunk.operation,
            data: jobOf(chunk),
            urgency: chunk.urgency,
            id: chunkJobId(chunk._id, chunk.generation),
          })),
        ),
      );
      const areEnqueued = (await Promise.all(enqueued)).every(Boolean);
      return chunks.map(() => areEnqueued);
    },
  });

  return async (request) => {
    const chunks = await accept(request);
    for (const chunk of chunks) void enqueue(chunk);
    return chunks[0]?.number ?? 0;
  };
}
