import type { Db } from "mongodb";
import { switches, switchStates } from "../../records/kinds/switches.ts";
import { batchesOf } from "../../records/mongodb/batches-of.ts";
import type { Records } from "../../records/records.ts";
import type { Stored } from "../../schemas/record.ts";
import type { Switch } from "../../schemas/switch.ts";
import type { TimeSlice } from "./time-slice.ts";

interface Dependencies {
  db: Db;
  records: Pick<Records, "remove" | "readRevs">;
}

const SWITCHES_PER_BATCH = 500;

/** Removes switches whose time was earlier than `before`; returns their number. */
export async function forgetSwitches({ db, records }: Dependencies, before: Date, slice: TimeSlice): Promise<number> {
  const past = db
    .collection<Stored<Switch>>(switches.name)
    .find({ showAt: { $lt: before } }, { projection: { rev: 1 } })
    .sort({ showAt: 1 });
  let removed = 0;
  for await (const found of batchesOf(past, SWITCHES_PER_BATCH)) {
    const announced = await records.readRevs(
      switchStates,
      found.map(({ _id }) => _id),
    );
    await records.remove(
      switchStates,
      [...announced].map(([key, rev]) => ({ key, rev })),
    );
    removed += await records.remove(
      switches,
      found.map(({ _id, rev }) => ({ key: _id, rev })),
    );
    if (!(await slice.goOn())) break;
  }
  return removed;
}
