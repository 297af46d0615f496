import type { Db } from "mongodb";
import { items, sics } from "../../records/kinds/items.ts";
import type { Records } from "../../records/records.ts";
import { openHolds } from "../../records/requests/held/holds.ts";
import type { Numbers } from "../../records/requests/numbers.ts";
import { idOf, itemNamedBy } from "../../schemas/keys.ts";
import { numberOf } from "../../schemas/stamp.ts";
import type { TimeSlice } from "./time-slice.ts";
import { createSettled } from "./tombstones.ts";

interface Dependencies {
  db: Db;
  records: Records;
  numbers: Pick<Numbers, "settledThrough">;
}

/**
 * Number of assignments that a pass examines; the next pass continues after them. Most assignments are valid, and no index shows
 * which are not.
 */
const MAX_ASSIGNMENTS_PER_PASS = 500_000;
const CURSOR = "claims on codes";

/**
 * Removes assignments of codes that their items no longer list, if the assignments were stored before `before` and all requests
 * up to theirs are settled. Returns the number of removed assignments. An assignment counts only while its item lists the code,
 * so no response changes.
 */
export async function forgetAssignments(
  { db, records, numbers }: Dependencies,
  before: Date,
  slice: TimeSlice,
): Promise<number> {
  const cursors = db.collection<{ _id: string; after: string }>("cursor");
  const settledThrough = createSettled(numbers, openHolds(db).firstUnapplied);
  const begin = (await cursors.findOne({ _id: CURSOR }))?.after;
  let [looked, removed] = [0, 0];
  for await (const batch of records.scan(sics, "t/", begin)) {
    const old = batch.filter(({ changedAt }) => changedAt < before);
    const owners = await records.readFields(items, old.map(itemNamedBy), ["sics", "deleted"]);
    const dead: { key: string; rev: number }[] = [];
    for (const assignment of old) {
      const owner = owners.get(itemNamedBy(assignment));
      const isListed = owner !== undefined && owner.deleted !== true && owner.sics.includes(idOf(assignment._id));
      if (!isListed && numberOf(assignment.stamp ?? 0) <= (await settledThrough(assignment.store)))
        dead.push({ key: assignment._id, rev: assignment.rev });
    }
    // An assignment that was stored again in the meantime has a different rev, and stays.
    await records.remove(sics, dead);
    removed += dead.length;
    looked += batch.length;
    const after = batch.at(-1)?._id ?? "";
    await cursors.updateOne({ _id: CURSOR }, { $set: { after } }, { upsert: true });
    if (looked >= MAX_ASSIGNMENTS_PER_PASS || !(await slice.goOn())) return removed;
  }
  await cursors.deleteOne({ _id: CURSOR });
  return removed;
}
