import type { Db } from "mongodb";
import type { FlashSequence } from "../../schemas/flash-sequence.ts";
import type { Stored } from "../../schemas/record.ts";
import { flashSequences } from "../kinds/work.ts";

/** The sequences that run, and those whose time has come. */
export interface RunningSequences {
  /** How many run in a store. */
  count(store: string): Promise<number>;
  /** Keys and steps of those that run in a store. */
  of(store: string): Promise<Pick<Stored<FlashSequence>, "_id" | "steps" | "step">[]>;
  /** Keys of those that are due, the longest due first. */
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
