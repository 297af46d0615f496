import type { Db } from "mongodb";
import { labelStates, labels } from "../../records/kinds/labels.ts";
import { eslImages } from "../../records/kinds/pictures.ts";
import { apiUsers, tenants } from "../../records/kinds/tenants.ts";
import { deleteInBatches } from "../../records/mongodb/delete-in-batches.ts";
import { type Records, readAll } from "../../records/records.ts";
import { apiUserKey, keysUnder, tenantIdOf } from "../../schemas/keys.ts";
import type { TimeSlice } from "./time-slice.ts";

interface Dependencies {
  db: Db;
  records: Records;
  now(): Date;
}

/** Deleted first, so that no picture of half-deleted data is drawn or sent. */
const FIRST = [labels.name, eslImages.name, labelStates.name];

/**
 * Deletes all data of tenants whose removal is due; returns the number of documents. The tenant's own record is deleted only
 * after a pass that found nothing else, so that the next pass finds anything that a worker wrote in the meantime.
 */
export async function forgetRemovedTenants({ db, records, now }: Dependencies, slice: TimeSlice): Promise<number> {
  let deleted = 0;
  for await (const batch of records.scanFields(tenants, "t/", ["removal"])) {
    for (const { _id, rev, removal } of batch) {
      if (removal === undefined || removal.due > now()) continue;
      const found = (await deleteUnder(db, `${_id}/`, slice)) + (await removeUsers(records, tenantIdOf(_id)));
      if (found === 0) await records.remove(tenants, [{ key: _id, rev }]);
      deleted += found;
      if (!(await slice.goOn())) return deleted;
    }
  }
  return deleted;
}

/** Deletes the documents under the prefix from every collection, including those that belong to no record kind. */
async function deleteUnder(db: Db, prefix: string, { goOn }: TimeSlice): Promise<number> {
  const names = (await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name);
  const present = names.filter((name) => !name.startsWith("system."));
  let deleted = 0;
  for (const name of new Set([...FIRST.filter((first) => present.includes(first)), ...present])) {
    const documents = db.collection<{ _id: string }>(name);
    deleted += await deleteInBatches(documents, { _id: keysUnder(prefix) }, { sort: { _id: 1 }, goOn });
  }
  return deleted;
}

async function removeUsers(records: Records, tenantId: string): Promise<number> {
  const users = (await readAll(records, apiUsers, apiUserKey(""))).filter(({ tenant }) => tenant === tenantId);
  await records.remove(
    apiUsers,
    users.map(({ _id, rev }) => ({ key: _id, rev })),
  );
  return users.length;
}
