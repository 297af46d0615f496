import type { createAcceptance } from "../../records/requests/accept.ts";
import { type AcceptedRequest, type JournaledChunk, sizeOf } from "../../records/requests/chunks.ts";
import { tenantOf } from "../../schemas/keys.ts";
import type { Precedence } from "../batch/precedence.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { InteractiveRows } from "../publish/interactive-rows.ts";
import { countLinks } from "./operations.ts";

interface Dependencies {
  journalRequest: ReturnType<typeof createAcceptance>;
  interactiveRows: Pick<InteractiveRows, "admit">;
  precedence: Pick<Precedence, "interactive">;
  metrics: Pick<Metrics, "count">;
}

/** Journals requests with the urgency that their size and the tenant's share allow, and counts their rows. */
export const createAccept =
  ({ journalRequest, interactiveRows, precedence, metrics }: Dependencies) =>
  async (request: AcceptedRequest): Promise<JournaledChunk[]> => {
    const { urgency, release } = await interactiveRows.admit(request.store, sizeOf(request));
    const links = countLinks(request.operation, request.rows);
    const work = () => journalRequest({ ...request, urgency, ...(links && { links }) });
    const chunks = await (urgency === "interactive" ? precedence.interactive(work) : work()).finally(release);
    const rows = chunks.reduce((sum, { size }) => sum + size, 0);
    metrics.count("shelfwire_rows_accepted_total", { tenant: tenantOf(request.store) }, rows);
    return chunks;
  };
