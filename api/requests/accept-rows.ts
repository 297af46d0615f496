import type { EnqueueChunks } from "../../queues/requests/enqueue-chunks.ts";
import type { ChunkOperation } from "../../queues/topology.ts";
import type { AcceptedRequest, JournaledChunk } from "../../records/requests/chunks.ts";
import type { Background } from "../../runtime/background.ts";
import { createBatcher } from "../../runtime/batch/batcher.ts";

/** Journals a request and enqueues its chunks; returns the request's id. */
export type AcceptRows = (request: AcceptedRequest & { operation: ChunkOperation }) => Promise<number>;

const CHUNKS_PER_CALL = 500;

/**
 * Accepts requests: a journaled request will be applied. Enqueuing continues in the background and may fail, since the
 * sweep enqueues journaled chunks that no job carries (docs/architecture/guarantees.md#accepted-is-never-lost).
 */
export function createAcceptRows(
  accept: (request: AcceptedRequest) => Promise<JournaledChunk[]>,
  enqueueChunks: EnqueueChunks,
  background: Pick<Background, "add">,
): AcceptRows {
  const enqueue = createBatcher<JournaledChunk, void>({
    weigh: () => 1,
    maxWeight: CHUNKS_PER_CALL,
    async run(chunks) {
      await enqueueChunks(chunks);
      return chunks.map(() => undefined);
    },
  });

  return async (request) => {
    const chunks = await accept(request);
    for (const chunk of chunks) void background.add(enqueue(chunk));
    return chunks[0]?.number ?? 0;
  };
}
