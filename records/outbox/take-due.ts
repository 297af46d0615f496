import type { Collection, Filter, UpdateFilter, WithId } from "mongodb";
import { REPEATABLE } from "../mongodb/repeatable.ts";

/** A document with a due time. */
interface DueDocument {
  _id: string;
  since: Date;
  /** Absent if it no longer waits. */
  due?: Date;
}

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

/** The document that has been due the longest. */
export const findDue = <Document extends DueDocument>(
  collection: Collection<Document>,
  filter: Filter<DueDocument & Document>,
  limit: number,
  now: Date,
): Promise<WithId<Document>[]> =>
  collection
    .find({ ...filter, due: { $lte: now } } as Filter<Document>)
    .sort({ due: 1, since: 1, _id: 1 })
    .limit(limit)
    .toArray();

/**
 * Takes the documents that were found, until a given time, and returns those that no other process has taken, oldest
 * first.
 */
export async function moveDue<Document extends DueDocument>(
  collection: Collection<Document>,
  found: readonly WithId<Document>[],
  until: Date,
): Promise<WithId<Document>[]> {
  const taken = await Promise.all(
    found.map(async (one) => {
      const unmoved = { _id: one._id, due: one.due } as Filter<Document>;
      const moved = { $set: { due: until } } as UpdateFilter<Document>;
      const { matchedCount } = await collection.updateOne(unmoved, moved, REPEATABLE);
      return matchedCount === 1 ? [{ ...one, due: until }] : [];
    }),
  );
  return taken.flat().sort((a, b) => a.since.getTime() - b.since.getTime());
}
