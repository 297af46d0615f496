import type { Db } from "mongodb";
import { workMarks } from "../../records/kinds/work.ts";
import { deleteInBatches } from "../../records/mongodb/delete-in-batches.ts";
import type { TimeSlice } from "./time-slice.ts";

/** Removes expired marks on the work list; returns their number. */
export const forgetWorkMarks = ({ db }: { db: Db }, now: Date, { goOn }: TimeSlice): Promise<number> =>
  deleteInBatches(
    db.collection<{ _id: string; expiresAt: Date }>(workMarks.name),
    { expiresAt: { $lt: now } },
    { sort: { expiresAt: 1 }, goOn },
  );
