import { randomUUID } from "node:crypto";
import type { AnyBulkWriteOperation, Collection, Filter, UpdateFilter, WithId } from "mongodb";
import { REPEATABLE } from "../mongodb/repeatable.ts";

/** A document with a due time. */
interface DueDocument {
  _id: string;
  since: Date;
  /** Absent if it no longer waits. */
  due?: Date;
  /** Distinguishes the last taking of it from all others. */
  lease?: string;
}

/** The longest due first. */
const DUE_ORDER = { due: 1, since: 1, _id: 1 } as const;

/** The clocks of two processes may differ by this much. */
const CLOCK_SKEW_MS = 10_000;

/**
 * The due time of what may be taken immediately: in the past by the clock of every process, even if it is behind that
 * of the process that stores it.
 */
export const dueAtOnce = (now: Date): Date => new Date(now.getTime() - CLOCK_SKEW_MS);

/**
 * Takes what has been due the longest, for the given milliseconds, and returns it oldest first. It is read in index
 * order, so that a long backlog is not sorted for each page. The due time is moved by compare-and-set, so only one of
 * two processes that found the same document takes it. A taken document that is neither removed nor postponed becomes
 * due again afterwards.
 */
export async function takeDue<Document extends DueDocument>(
  collection: Collection<Document>,
  filter: Filter<DueDocument & Document>,
  limit: number,
  { now, milliseconds }: { now(): Date; milliseconds: number },
): Promise<WithId<Document>[]> {
  const found = await findDue(collection, filter, limit, now());
  return moveDue(collection, found, new Date(now().getTime() + milliseconds));
}

/** Like `takeDue`, for the one that has been due the longest: by one command. */
export async function takeLongestDue<Document extends DueDocument>(
  collection: Collection<Document>,
  { now, milliseconds }: { now(): Date; milliseconds: number },
): Promise<WithId<Document>[]> {
  const at = now();
  const set = { due: new Date(at.getTime() + milliseconds), lease: randomUUID() };
  const moved = { $set: set } as unknown as UpdateFilter<Document>;
  const options = { ...REPEATABLE, sort: DUE_ORDER };
  const taken = await collection.findOneAndUpdate({ due: { $lte: at } } as Filter<Document>, moved, options);
  return taken === null ? [] : [taken];
}

/** The documents that have been due the longest. */
export const findDue = <Document extends DueDocument>(
  collection: Collection<Document>,
  filter: Filter<DueDocument & Document>,
  limit: number,
  now: Date,
): Promise<WithId<Document>[]> =>
  collection
    .find({ ...filter, due: { $lte: now } } as Filter<Document>)
    .sort(DUE_ORDER)
    .limit(limit)
    .toArray();

/**
 * Takes the documents that were found, until a given time, and returns those that no other process has taken, oldest
 * first: by one command, and another if one of them was taken meanwhile.
 */
export async function moveDue<Document extends DueDocument>(
  collection: Collection<Document>,
  found: readonly WithId<Document>[],
  until: Date,
): Promise<WithId<Document>[]> {
  if (found.length === 0) return [];
  const lease = randomUUID();
  const moves = found.map(({ _id, due }) => ({
    updateOne: {
      filter: { _id, due } as Filter<Document>,
      update: { $set: { due: until, lease } } as unknown as UpdateFilter<Document>,
    },
  }));
  const operations = moves as AnyBulkWriteOperation<Document>[];
  const { matchedCount } = await collection.bulkWrite(operations, { ordered: false, ...REPEATABLE });
  const taken = matchedCount === found.length ? found : await ofLease(collection, found, lease);
  return taken.map((one) => ({ ...one, due: until })).sort((a, b) => a.since.getTime() - b.since.getTime());
}

/** Those of the found documents that have this lease: a bulk write only counts what it matched. */
async function ofLease<Document extends DueDocument>(
  collection: Collection<Document>,
  found: readonly WithId<Document>[],
  lease: string,
): Promise<WithId<Document>[]> {
  const filter = { _id: { $in: found.map(({ _id }) => _id) } } as Filter<Document>;
  // The write waits for the primary alone, so what a majority has may be older.
  const present = await collection
    .find(filter, { projection: { lease: 1 }, readConcern: { level: "local" } })
    .toArray();
  const own = new Set(present.filter((one) => one.lease === lease).map(({ _id }) => _id));
  return found.filter(({ _id }) => own.has(_id));
}
