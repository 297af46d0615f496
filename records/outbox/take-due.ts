import type { Collection, Filter, UpdateFilter, WithId } from "mongodb";

/** What waits for its time. */
interface DueDocument {
  _id: string;
  since: Date;
  /** Absent if it waits no more. */
  due?: Date;
}

/** The clocks of two processes may differ by this much. */
const CLOCK_SKEW_MS = 10_000;

/**
 * When that is due which may be taken at once: by the clock of every process, also of one that is behind that of the
 * process which stores it.
 */
export const dueAtOnce = (now: Date): Date => new Date(now.getTime() - CLOCK_SKEW_MS);

/**
 * Takes what is due for longest, for so many milliseconds, and gives it oldest first. In the order of an index, so that a
 * long backlog is not sorted for each page of it. Its due time is moved by compare-and-set, so of two
 * processes that found the same document one has it. What is taken and neither removed nor put off is due again then.
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

/** What is due for longest. */
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

/** Takes what was found until a time, and gives what no other process has taken, oldest first. */
export async function moveDue<Document extends DueDocument>(
  collection: Collection<Document>,
  found: readonly WithId<Document>[],
  until: Date,
): Promise<WithId<Document>[]> {
  const taken = await Promise.all(
    found.map(async (one) => {
      const unmoved = { _id: one._id, due: one.due } as Filter<Document>;
      const { matchedCount } = await collection.updateOne(unmoved, { $set: { due: until } } as UpdateFilter<Document>);
      return matchedCount === 1 ? [{ ...one, due: until }] : [];
    }),
  );
  return taken.flat().sort((a, b) => a.since.getTime() - b.since.getTime());
}
