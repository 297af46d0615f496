import { createCommit } from "../../../queues/changes/commit.ts";
import type { RecordKind } from "../../../records/kind.ts";
import { openOutbox } from "../../../records/outbox/outbox.ts";
import { type Gate, inTurns } from "../../harness/searches/turns.ts";
import type { Shelfwire } from "../../harness/shelfwire.ts";

type System = Shelfwire["system"];

/** Returns the system, with the steps on these kinds controlled by a gate if one is given. */
export function systemInTurns(system: System, kinds: readonly RecordKind<never>[], gate?: Gate) {
  const records = gate ? inTurns(system.records, gate, kinds) : system.records;
  const commit = createCommit({ ...system, records, outbox: openOutbox(system.db) });
  return { ...system, records, commit, ...(gate && settlingInTurns(system, gate)) };
}

/**
 * Makes the settling of numbers and the reading of the settled number wait for their turn. The read waits twice, because
 * another read that is sent at the same time is answered before it.
 */
function settlingInTurns({ journal, numbers }: System, gate: Gate) {
  return {
    journal: {
      ...journal,
      async settle(outcomes: Parameters<typeof journal.settle>[0]) {
        await gate({ kind: "settled", writes: true });
        return journal.settle(outcomes);
      },
    },
    numbers: {
      ...numbers,
      async settledAtLeast(store: string, enough: number) {
        await gate({ kind: "settled", writes: false });
        await gate({ kind: "settled", writes: false });
        return numbers.settledAtLeast(store, enough);
      },
    },
  };
}
