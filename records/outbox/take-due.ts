import { randomUUID } from "node:crypto";
import type { AnyBulkWriteOperation, Collection, Filter, UpdateFilter, WithId } from "mongodb";
import { REPEATABLE } from "../mongodb/repeatable.ts";

/** A document with a due time. */
interface DueDocument {
  _id: string;
  since: Date;
  /** Absent if the document is no longer waiting. */
  due?: Date;
  /** Identifies the last time that the document was taken. */
  lease?: string;
}

/** Longest due first. */
const DUE_ORDER = { due: 1, since: 1, _id: 1 } as const;

/** Maximum difference between the clocks of two processes. */
const CLOCK_SKEW_MS = 10_000;

/**
 * The due time of a document that may be taken immediately: in the past by every process's clock, even one that is slower than
 * the storing process's clock.
 */
export const dueAtOnce = (now: Date): Date => new Date(now.getTime() - CLOCK_SKEW_MS);

/**
 * Takes the documents that have been due the longest, for the given number of milliseconds, and returns them oldest first. They
 * are read in index order, so that a long backlog is not sorted for each page. The due time is moved by compare-and-set, so
 * only one of two processes that found the same document takes it. A taken document that is neither removed nor postponed
 * becomes due again afterwards.
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

/** Like `takeDue`, but takes only the document that has been due the longest, with one command. */
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
 * Takes the found documents until a given time and returns those that no other process has taken, oldest first. It sends one
 * command, and a second if a document was taken in the meantime.
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

/** Reads which of the found documents have this lease: a bulk write returns only the number of matches. */
async function ofLease<Document extends DueDocument>(
  collection: Collection<Document>,
  found: readonly WithId<Document>[],
  lease: string,
): Promise<WithId<Document>[]> {
  const filter = { _id: { $in: found.map(({ _id }) => _id) } } as Filter<Document>;
  // The write waits only for the primary, so a majority read may return older documents.
  const present = await collection
    .find(filter, { projection: { lease: 1 }, readConcern: { level: "local" } })
    .toArray();
  const own = new Set(present.filter((one) => one.lease === lease).map(({ _id }) => _id));
  return found.filter(({ _id }) => own.has(_id));
}
