import type { Db } from "mongodb";
import { flashSequences } from "../../records/kinds/work.ts";
import { deleteInBatches } from "../../records/mongodb/delete-in-batches.ts";
import type { TimeSlice } from "./time-slice.ts";

/** Removes flash sequences that ended before `expired`; returns their number. */
export const forgetSequences = ({ db }: { db: Db }, expired: Date, { goOn }: TimeSlice): Promise<number> =>
  deleteInBatches(
    db.collection<{ _id: string; endedAt?: Date }>(flashSequences.name),
    { endedAt: { $lt: expired } },
    { sort: { endedAt: 1 }, goOn },
  );
