import type { Db } from "mongodb";
import type { FlashSequence } from "../../schemas/flash-sequence.ts";
import type { Stored } from "../../schemas/record.ts";
import { flashSequences } from "../kinds/work.ts";

/** The running sequences, and those that are due. */
export interface RunningSequences {
  /** Counts a store's running sequences. */
  count(store: string): Promise<number>;
  /** Keys and steps of a store's running sequences. */
  of(store: string): Promise<Pick<Stored<FlashSequence>, "_id" | "steps" | "step">[]>;
  /** Keys of the due sequences, longest due first. */
  due(now: Date, limit: number): Promise<string[]>;
}

export function openRunningSequences(db: Db): RunningSequences {
  const stored = db.collection<Stored<FlashSequence>>(flashSequences.name);
  return {
    count: (store) => stored.countDocuments({ store, state: "running" }),
    of: (store) => stored.find({ store, state: "running" }, { projection: { steps: 1, step: 1 } }).toArray(),
    async due(now, limit) {
      const found = await stored
        .find({ due: { $lte: now } }, { projection: { _id: 1 } })
        .sort({ due: 1 })
        .limit(limit)
        .toArray();
      return found.map(({ _id }) => _id);
    },
  };
}
