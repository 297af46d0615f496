import type { Steps } from "../../queues/tracing/steps.ts";
import type { AcceptedRequest, JournaledChunk } from "../../records/requests/chunks.ts";
import { currentCauses } from "../../runtime/causes.ts";

/**
 * Accepts requests together with the call that sent them. The number of the request is added to the call's cause, so
 * that everything written and logged from then on refers to both.
 */
export const acceptWithCause =
  (accept: (request: AcceptedRequest) => Promise<JournaledChunk[]>, step: Steps["step"]) =>
  async (request: AcceptedRequest): Promise<JournaledChunk[]> => {
    const [call] = currentCauses();
    if (call === undefined) return accept(request);
    const { store, operation, rows } = request;
    return step("accept", [call], { store, operation, rows: rows.length }, async () => {
      const chunks = await accept({ ...request, cause: call });
      call.request ??= chunks[0]?.number;
      return chunks;
    });
  };
