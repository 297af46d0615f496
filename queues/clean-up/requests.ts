import type { Db } from "mongodb";
import pLimit from "p-limit";
import type { ActivityLog } from "../../records/activity/activity-log.ts";
import { batchesOf } from "../../records/mongodb/batches-of.ts";
import { type Chunk, type Journal, journalCollection } from "../../records/requests/journal.ts";
import { type Numbers, requestState } from "../../records/requests/numbers.ts";
import { forgetParts } from "../../records/requests/outcome-parts.ts";
import { isStoreKey } from "../../schemas/keys.ts";
import type { TimeSlice } from "./time-slice.ts";
import { createSettled } from "./tombstones.ts";

interface Dependencies {
  db: Db;
  journal: Pick<Journal, "readRequest">;
  numbers: Pick<Numbers, "settledThrough">;
  activityLog: Pick<ActivityLog, "readEnds">;
}

type Applied = Pick<Chunk, "_id" | "store" | "number" | "chunks" | "outcomeParts" | "hold">;

const CHUNKS_PER_BATCH = 1000;
const CONCURRENT_READS = 20;
const headFields = { store: 1, number: 1, chunks: 1, outcomeParts: 1, "hold.entered": 1 } as const;

/**
 * Deletes the chunks that were applied before `before`, if their requests and all requests of their stores with smaller numbers
 * have completely ended and are in the activity log. Returns the number of deleted chunks. If one of a request's chunks were
 * missing, the request would never count as complete and its other rows would be dropped. A number that is missing before its
 * turn would block later numbers.
 */
export async function forgetRequests(
  { db, journal, numbers, activityLog }: Dependencies,
  before: Date,
  slice: TimeSlice,
): Promise<number> {
  const chunks = journalCollection(db);
  const settledThrough = createSettled(numbers);
  const limit = pLimit(CONCURRENT_READS);

  /**
   * Whether the rest of a request will never be applied and, for a request that was held, the log has its outcome. If part of
   * the request is already deleted, the rest has ended.
   */
  async function hasEnded({ store, number, chunks: count, hold }: Applied): Promise<boolean> {
    if (number > (await settledThrough(store))) return false;
    if (count === 1) return hold?.entered === undefined;
    const request = await journal.readRequest(store, number);
    return requestState(request) === "void" || request.every(({ open, hold }) => !open && hold?.entered === undefined);
  }

  let forgotten = 0;
  const applied = chunks.find({ appliedAt: { $lt: before } }, { projection: headFields }).sort({ appliedAt: 1 });
  for await (const batch of batchesOf(applied, CHUNKS_PER_BATCH)) {
    const stores = [...new Set(batch.map(({ store }) => store))].filter(isStoreKey);
    const ends = await activityLog.readEnds(stores);
    const requests = [...Map.groupBy(batch, ({ store, number }) => `${store}/${number}`).values()];
    const ended = await limit.map(requests, async (group) => {
      const [first] = group;
      const isEntered = first !== undefined && first.number <= (ends.get(first.store)?.number ?? first.number);
      return isEntered && (await hasEnded(first)) ? group : [];
    });
    for (const { _id, outcomeParts } of ended.flat()) if (outcomeParts) await forgetParts(db, _id);
    const keys = ended.flat().map(({ _id }) => _id);
    if (keys.length > 0) forgotten += (await chunks.deleteMany({ _id: { $in: keys } })).deletedCount;
    if (!(await slice.goOn())) break;
  }
  return forgotten;
}
