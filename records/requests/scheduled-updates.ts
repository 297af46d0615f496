import type { Outcome } from "../../schemas/request.ts";
import { type RowNotice, rowNotice } from "../../schemas/row-notice.ts";
import type { Schedule, ScheduledUpdate } from "../../schemas/schedule.ts";
import { numberOf, rowOf, stampOf } from "../../schemas/stamp.ts";

export const MAX_UPDATES = 100;
export const MAX_BYTES = 8 * 2 ** 20;
/** Maximum number of updates that one request applies, so that indexes fit into stamps. The next request applies the rest. */
const MAX_UPDATES_PER_TURN = 30_000;
const MAX_ERRORS = 100;
/**
 * Maximum number of characters in all of an update's errors. With this limit, all updates and their errors fit into the
 * schedule's document.
 */
export const MAX_ERROR_CHARACTERS = 10_000;

/** Sorts updates in the order in which they take effect: by time, then by stamp. */
export const inOrder = (a: Pick<ScheduledUpdate, "due" | "stamp">, b: typeof a): number =>
  a.due.getTime() - b.due.getTime() || a.stamp - b.stamp;

/** Returns a schedule with sorted updates and its earliest due time. */
function scheduleOf(schedule: Omit<Schedule, "due">): Schedule {
  const { itemId, floor } = schedule;
  const updates = schedule.updates.toSorted(inOrder);
  const due = updates.find(({ failed }) => !failed)?.due;
  return { itemId, updates, ...(due && { due }), ...(floor !== undefined && { floor }) };
}

/**
 * Adds an update to a schedule; returns the schedule, or a notice with the reason for a rejection. Idempotent: an update that
 * is already in the schedule is not added again. An update whose stamp is below the floor was applied or cancelled before, or
 * its request was held until later updates took effect: it is rejected, unless it ends a campaign.
 */
export function enterUpdate(
  current: Schedule | undefined,
  itemId: string,
  update: Pick<ScheduledUpdate, "due" | "stamp" | "patch" | "list" | "campaign" | "ends">,
): Schedule | RowNotice {
  const schedule = current ?? { itemId, updates: [] };
  if (schedule.updates.some(({ stamp }) => stamp === update.stamp)) return schedule;
  // Without its end, a campaign would never stop, and a held campaign may be scheduled after later updates have been applied. A
  // repeated end changes nothing. An end takes little space, and a tenant has a bounded number of campaigns.
  if (update.ends) return scheduleOf({ ...schedule, updates: [...schedule.updates, update] });
  if (update.stamp < (schedule.floor ?? 0)) return rowNotice("UPDATE_OVERTAKEN", {});
  const bytes = [...schedule.updates, update].reduce((sum, { patch }) => sum + Buffer.byteLength(patch), 0);
  if (schedule.updates.length >= MAX_UPDATES) return rowNotice("SCHEDULE_FULL", { most: MAX_UPDATES });
  if (bytes > MAX_BYTES) return rowNotice("SCHEDULE_TOO_LARGE", { most: MAX_BYTES / 2 ** 20 });
  return scheduleOf({ ...schedule, updates: [...schedule.updates, update] });
}

/** Cancels the updates that precede the deletion of the schedule's item; returns the schedule without them. */
export function cancelBelow(current: Schedule, stamp: number): Schedule {
  const updates = current.updates.filter((update) => update.stamp > stamp);
  return scheduleOf({ ...current, updates, floor: Math.max(stamp, current.floor ?? 0) });
}

/**
 * Returns a schedule without the updates of one request; undefined if it contains none. `stamp` is the cancelling row's stamp;
 * all smaller numbers are settled. The update that ends a campaign is kept, since the campaign may have begun.
 */
export function cancelRequest(current: Schedule, number: number, stamp: number): Schedule | undefined {
  const updates = current.updates.filter((update) => numberOf(update.stamp) !== number || update.ends);
  if (updates.length === current.updates.length) return undefined;
  return scheduleOf({ ...current, updates, floor: Math.max(stamp, current.floor ?? 0) });
}

/**
 * Returns a schedule without the updates of a price list that were sent before `stamp`; undefined if it contains none. `first` is
 * the number of the list's first request: updates of an earlier list with the same id stay.
 */
export function cancelList(current: Schedule, list: string, stamp: number, first = 0): Schedule | undefined {
  const isMeant = (update: ScheduledUpdate) => update.list === list && numberOf(update.stamp) >= first;
  const updates = current.updates.filter((update) => !isMeant(update) || update.failed || update.stamp > stamp);
  if (updates.length === current.updates.length) return undefined;
  return scheduleOf({ ...current, updates, floor: Math.max(stamp, current.floor ?? 0) });
}

/**
 * Returns a schedule without the campaign's updates that have this stamp or a smaller one. Such updates may still arrive when a
 * held request is approved. They are rejected, except for updates that end a campaign: those are added to the schedule, but
 * change nothing.
 */
export function cancelCampaign(current: Schedule, campaign: string, stamp: number): Schedule {
  const updates = current.updates.filter((update) => update.campaign !== campaign || update.stamp > stamp);
  return scheduleOf({ ...current, updates, floor: Math.max(stamp, current.floor ?? 0) });
}

/**
 * Returns the updates that a request with this number applies: updates that have smaller numbers and are due at `until`. The
 * request starts when all smaller numbers are settled, so this set is final. Updates that a request with a larger number has
 * taken (`appliedAs`) are left out.
 */
export const dueUpdates = <Update extends Omit<ScheduledUpdate, "patch">>(
  { updates }: { updates: readonly Update[] },
  until: Date,
  number: number,
): Update[] =>
  updates.filter(
    ({ due, stamp, failed, appliedAs = 0 }) =>
      !failed && due <= until && numberOf(stamp) < number && numberOf(appliedAs) <= number,
  );

/**
 * Ranks a store's due updates, sorted by `inOrder`, for the request with this number: an update's index in its stamp exceeds the
 * indexes of all updates before it, even of updates for other items, because links and codes compare stamps across items. Updates
 * that the request has ranked before keep their index, so a retry continues after them, even if the first updates are already
 * applied. Updates that exceed `most` are left out.
 */
export function rankUpdates<Update extends Pick<ScheduledUpdate, "appliedAs">>(
  due: readonly Update[],
  number: number,
  most = MAX_UPDATES_PER_TURN,
): (Update & { index: number })[] {
  const ranked: (Update & { index: number })[] = [];
  let next = 0;
  for (const update of due) {
    const { appliedAs = 0 } = update;
    const isRanked = numberOf(appliedAs) === number;
    if (!isRanked && next >= most) break;
    const index = isRanked ? rowOf(appliedAs) : next;
    ranked.push({ ...update, index });
    next = Math.max(next, index + 1);
  }
  return ranked;
}

/**
 * Assigns a schedule's updates to this number, each with the index that `indexes` contains under its stamp. The stamps are stored
 * before the updates are applied, so a retry of the request uses the same stamps. No two updates share a stamp: an update from a
 * held request that was added after others were assigned takes an index after theirs.
 */
export function assignStamps(current: Schedule, indexes: ReadonlyMap<number, number>, number: number): Schedule {
  const isTaken = ({ failed, appliedAs = 0 }: ScheduledUpdate) => failed || numberOf(appliedAs) >= number;
  const assigned = current.updates.map(({ appliedAs = 0 }) => (numberOf(appliedAs) === number ? rowOf(appliedAs) : -1));
  let least = Math.max(-1, ...assigned) + 1;
  const updates = current.updates.map((update) => {
    const rank = indexes.get(update.stamp);
    if (rank === undefined || isTaken(update)) return update;
    const index = Math.max(rank, least);
    least = index + 1;
    return { ...update, appliedAs: stampOf(number, index) };
  });
  return updates.every((update, index) => update === current.updates[index]) ? current : { ...current, updates };
}

/** Returns a schedule without the updates that this number applied. Updates with errors stay, so that callers can read them. */
export function finishUpdates(
  current: Schedule,
  number: number,
  /** The errors of each applied update, by stamp; none if it succeeded. */
  outcomes: ReadonlyMap<number, Errors>,
  now: Date,
): Schedule {
  const updates = current.updates.flatMap((update): ScheduledUpdate[] => {
    const outcome = outcomes.get(update.stamp);
    if (outcome === undefined || update.failed) return [update];
    return outcome.errors.length === 0 ? [] : [{ ...update, failed: { at: now, ...boundErrors(outcome) } }];
  });
  return scheduleOf({ ...current, updates, floor: Math.max(stampOf(number, 0), current.floor ?? 0) });
}

type Errors = Pick<Outcome, "errors" | "notices">;

/** Returns the first errors, up to the limits. The last of them may be cut off, and then has no notice. */
function boundErrors({ errors, notices }: Errors): Errors {
  let left = MAX_ERROR_CHARACTERS;
  const kept = errors.slice(0, MAX_ERRORS).flatMap((text) => {
    const part = text.slice(0, left);
    left -= part.length;
    return part === "" ? [] : [part];
  });
  const whole = kept.filter((part, index) => part === errors[index]).length;
  return { errors: kept, ...(notices && { notices: notices.slice(0, whole) }) };
}

/** Returns a schedule without updates that failed before a given time. */
export function forgetFailed(current: Schedule, before: Date): Schedule {
  const updates = current.updates.filter(({ failed }) => failed === undefined || failed.at >= before);
  return updates.length === current.updates.length ? current : scheduleOf({ ...current, updates });
}
