import type { Schedule, ScheduledUpdate } from "../../schemas/schedule.ts";
import { numberOf, stampOf } from "../../schemas/stamp.ts";

const MAX_UPDATES = 100;
const MAX_BYTES = 8 * 2 ** 20;
const MAX_ERRORS = 100;

/** Order in which updates take effect: by their times, of one time as they were asked for. */
export const inOrder = (one: Pick<ScheduledUpdate, "due" | "stamp">, other: typeof one): number =>
  one.due.getTime() - other.due.getTime() || one.stamp - other.stamp;

/** A schedule with its updates in order and its earliest time right. */
function scheduleOf(schedule: Omit<Schedule, "due">): Schedule {
  const { itemId, floor } = schedule;
  const updates = schedule.updates.toSorted(inOrder);
  const due = updates.find(({ failed }) => !failed)?.due;
  return { itemId, updates, ...(due && { due }), ...(floor !== undefined && { floor }) };
}

/**
 * A schedule with an update entered; a text says why it may not be. One that is there already is left alone, and one
 * below the floor was applied or cancelled: a chunk that is applied once more enters nothing twice.
 */
export function enterUpdate(
  current: Schedule | undefined,
  itemId: string,
  update: Pick<ScheduledUpdate, "due" | "stamp" | "patch">,
): Schedule | string {
  const schedule = current ?? { itemId, updates: [] };
  const isKnown = schedule.updates.some(({ stamp }) => stamp === update.stamp);
  if (isKnown || update.stamp < (schedule.floor ?? 0)) return schedule;
  const bytes = [...schedule.updates, update].reduce((sum, { patch }) => sum + Buffer.byteLength(patch), 0);
  if (schedule.updates.length >= MAX_UPDATES) return `the item has ${MAX_UPDATES} scheduled updates already`;
  if (bytes > MAX_BYTES) return `the item's scheduled updates would be larger than ${MAX_BYTES / 2 ** 20} MiB`;
  return scheduleOf({ ...schedule, updates: [...schedule.updates, update] });
}

/** A schedule without what was asked for before a deletion of its item (decisions, "deleting the item cancels them"). */
export function cancelBelow(current: Schedule, stamp: number): Schedule {
  const updates = current.updates.filter((update) => update.stamp > stamp);
  return scheduleOf({ ...current, updates, floor: Math.max(stamp, current.floor ?? 0) });
}

/**
 * The updates that a request with this number applies when it has the store's clock reach `until`: those of smaller
 * numbers that are due by then. It starts when all smaller numbers are settled. So these are known for good, and what
 * another number has claimed but not finished is a larger one's.
 */
export const dueUpdates = ({ updates }: Schedule, until: Date, number: number): ScheduledUpdate[] =>
  updates.filter(
    ({ due, stamp, failed, appliedAs = 0 }) =>
      !failed && due <= until && numberOf(stamp) < number && numberOf(appliedAs) <= number,
  );

/**
 * A schedule whose due updates are claimed by this number: each gets its own stamp, in their order. A claim is written
 * before anything of it takes effect, and stays: a request that is applied once more does so under the same stamps.
 */
export function assignStamps(current: Schedule, until: Date, number: number): Schedule {
  const due = dueUpdates(current, until, number);
  const isAssigned = ({ appliedAs = 0 }: ScheduledUpdate) => numberOf(appliedAs) === number;
  if (due.every(isAssigned)) return current;
  const updates = current.updates.map((update) => {
    const index = due.indexOf(update);
    return index < 0 || isAssigned(update) ? update : { ...update, appliedAs: stampOf(number, index) };
  });
  return { ...current, updates };
}

/** A schedule without updates that were applied; those with errors stay, to be seen. */
export function finishUpdates(
  current: Schedule,
  number: number,
  /** What went wrong with each update that is over, by its stamp. */
  over: ReadonlyMap<number, readonly string[]>,
  now: Date,
): Schedule {
  const updates = current.updates.flatMap((update): ScheduledUpdate[] => {
    const errors = over.get(update.stamp);
    if (errors === undefined || update.failed) return [update];
    return errors.length === 0 ? [] : [{ ...update, failed: { at: now, errors: errors.slice(0, MAX_ERRORS) } }];
  });
  return scheduleOf({ ...current, updates, floor: Math.max(stampOf(number, 0), current.floor ?? 0) });
}

/** A schedule without updates that failed before a time. */
export function forgetFailed(current: Schedule, before: Date): Schedule {
  const updates = current.updates.filter(({ failed }) => failed === undefined || failed.at >= before);
  return updates.length === current.updates.length ? current : scheduleOf({ ...current, updates });
}
