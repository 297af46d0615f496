import { createSettleChunks } from "../../queues/requests/settle-chunks.ts";
import type { ApplyRows } from "../../queues/requests/stamped-rows.ts";
import type { System } from "../../queues/system.ts";
import type { ChunkOperation } from "../../queues/topology.ts";
import { chunkKey } from "../../schemas/keys.ts";
import type { Outcome } from "../../schemas/request.ts";
import { stampOf } from "../../schemas/stamp.ts";

/** Settles a journaled request of one chunk that this process applied instead of a worker. */
export function createSettleHere(system: Pick<System, "journal" | "results" | "promoteNext" | "metrics">) {
  const { journal, promoteNext } = system;
  const settleChunks = createSettleChunks(system);
  return async (store: string, number: number, outcomes: Outcome[]): Promise<void> => {
    const key = chunkKey(store, number, 0);
    const chunk = (await journal.read([key])).get(key);
    if (chunk === undefined) return;
    await settleChunks([{ chunk, outcomes }]);
    await promoteNext(store);
  };
}

/**
 * Journals one row and applies it in this process, so that the response is sent after the effect. If this process ends
 * before that, or the database becomes unavailable, the operation's worker applies the row from the journal, so the
 * operation must be idempotent. The operations that use it are in `api/open-routes.ts`.
 */
export function createApplyHere(system: System) {
  const { accept, isUnavailable } = system;
  const settleHere = createSettleHere(system);
  return async <Row>(store: string, operation: ChunkOperation, row: Row, apply: ApplyRows<Row>): Promise<void> => {
    const [chunk] = await accept({ store, operation, rows: [row], ordered: false });
    const { number, urgency } = chunk ?? { number: 0, urgency: "interactive" };
    try {
      const outcomes = await apply(store, [{ row, stamp: stampOf(number, 0) }], urgency);
      await settleHere(store, number, outcomes.flat());
    } catch (error) {
      if (!isUnavailable(error)) throw error;
    }
  };
}
