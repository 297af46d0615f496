import type { Db } from "mongodb";
import { journalCollection } from "./journal.ts";
import { counterCollection } from "./numbers.ts";

/** A range of a store's numbers that no request has or ever will have. */
export interface SkippedNumbers {
  store: string;
  after: number;
  through: number;
}

/** These numbers are `requestId`s, which callers read as 32-bit signed integers. */
const MAX_NUMBER = 2 ** 31 - 1;

/**
 * Returns, for every store, the `step` numbers that follow the highest number in its counter and its journal. Throws RangeError
 * if a store has too few numbers left.
 */
export async function planSkips(db: Db, step: number): Promise<SkippedNumbers[]> {
  const counters = await counterCollection(db).find({}).toArray();
  const journaled = await journalCollection(db)
    .aggregate<{ _id: string; number: number }>([{ $group: { _id: "$store", number: { $max: "$number" } } }])
    .toArray();
  const highest = new Map(journaled.map(({ _id, number }) => [_id, number]));
  for (const { _id, number } of counters) highest.set(_id, Math.max(number, highest.get(_id) ?? 0));
  const skips = [...highest].map(([store, after]) => ({ store, after, through: after + step }));
  const beyond = skips.find(({ through }) => through > MAX_NUMBER);
  if (beyond)
    throw new RangeError(`${beyond.store} is at number ${beyond.after}: ${step} more would exceed ${MAX_NUMBER}`);
  return skips;
}

/**
 * Raises the counter of every store by `step` above all numbers in its counter and its journal. The numbers in between count as
 * settled. If a store has too few numbers left, throws RangeError and raises no counter.
 */
export async function skipNumbers(db: Db, step: number): Promise<SkippedNumbers[]> {
  const skips = await planSkips(db, step);
  for (const skip of skips) await skipRange(db, skip);
  return skips;
}

/** Raises a store's counter above a range of numbers, which then count as settled. Idempotent. */
export async function skipRange(db: Db, { store, after, through }: SkippedNumbers): Promise<void> {
  await counterCollection(db).updateOne(
    { _id: store },
    { $max: { number: through }, $addToSet: { skipped: { after, through } }, $currentDate: { drawnAt: true } },
    { upsert: true },
  );
}
