import type { HoldMarks } from "../../records/requests/held/hold-marks.ts";
import type { HeldRecord, Holds } from "../../records/requests/held/holds.ts";
import type { Journal } from "../../records/requests/journal.ts";
import { chunkKey } from "../../schemas/keys.ts";
import type { Outcome } from "../../schemas/request.ts";
import { rowErrors, rowNotice } from "../../schemas/row-notice.ts";
import type { EnqueueChunks } from "./enqueue-chunks.ts";
import { pendingOutcomes } from "./operations.ts";

type Decided = Pick<HeldRecord, "store" | "number" | "chunks" | "hold">;

interface Dependencies {
  holds: Pick<Holds, "open" | "close" | "end">;
  holdMarks: Pick<HoldMarks, "remove">;
  journal: Pick<Journal, "read">;
  enqueueChunks: EnqueueChunks;
  now(): Date;
}

/** Maximum length of the note that each refused row repeats, in characters. */
const MAX_NOTE = 200;

/**
 * Carries out the decision about a held request. Each step may be repeated: if a process is killed after the decision, the
 * sweep carries it out. An approved request is applied from the journal like any other, under its original number. So it is
 * applied only once, and requests that were sent later take precedence.
 */
export function createCarryOutHold({ holds, holdMarks, journal, enqueueChunks, now }: Dependencies) {
  async function end({ store, number, hold }: Pick<Decided, "store" | "number" | "hold">): Promise<void> {
    await holds.end(store, number, hold.state !== "WAITING");
    await holdMarks.remove(store, [hold.mark]);
  }

  async function approve(decided: Decided): Promise<void> {
    const chunks = await holds.open(decided);
    const open = chunks.filter((chunk) => chunk.open);
    if (open.length === 0) return end(decided);
    await enqueueChunks(open);
  }

  async function refuse(decided: Decided): Promise<void> {
    const { store, number, chunks } = decided;
    for (let index = 0; index < chunks; index += 1) {
      const key = chunkKey(store, number, index);
      const chunk = (await journal.read([key])).get(key);
      if (chunk?.held) await holds.close(key, pendingOutcomes(chunk).map(refusedBy(decided)), now());
    }
    await end(decided);
  }

  return {
    decided: async (held: Decided): Promise<void> => {
      if (held.hold.state !== "WAITING") await (held.hold.state === "APPROVED" ? approve(held) : refuse(held));
    },

    /** Closes a request that never became whole in the journal: its caller was rejected. */
    async dropped({ store, number, chunks, hold }: Decided): Promise<void> {
      for (let index = 0; index < chunks; index += 1) await holds.close(chunkKey(store, number, index), [], now());
      await end({ store, number, hold });
    },
  };
}

function refusedBy({ hold: { state, decision } }: Decided): (outcome: Outcome) => Outcome {
  const notice =
    state === "EXPIRED"
      ? rowNotice("HELD_EXPIRED", {})
      : rowNotice("HELD_REFUSED", { by: decision?.by?.id ?? "", note: (decision?.note ?? "").slice(0, MAX_NOTE) });
  return (outcome) => ({ ...outcome, status: "ERROR", ...rowErrors(notice) });
}
