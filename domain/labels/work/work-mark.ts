import type { Actor } from "../../../schemas/actor.ts";
import { markLifeMs, type WorkCauseName, type WorkMark, type WorkOrder } from "../../../schemas/work-list.ts";

/** Whether a mark counts for a cause: it counts only for the cause for which it was made, and until it expires. */
export const countsFor = (mark: WorkMark | undefined, cause: WorkCauseName, now: Date): mark is WorkMark =>
  mark !== undefined && mark.workCause === cause && mark.expiresAt > now;

/**
 * Returns the mark that an order leaves on a label; undefined if nothing changes. If the order names no assignee, the current
 * mark's assignee stays.
 */
export function markAfter(
  current: WorkMark | undefined,
  { cause, state, assignee }: Pick<WorkOrder, "cause" | "state" | "assignee">,
  by: Actor,
  now: Date,
): WorkMark | undefined {
  const present = countsFor(current, cause, now) ? current : undefined;
  // Expires immediately: a mark is overwritten here, and later removed by the clean-up.
  if (state === "OPEN") return present && { ...present, by, at: now, expiresAt: now };
  const name = assignee ?? present?.assignee;
  return {
    ...{ workCause: cause, state, by, at: now, expiresAt: new Date(now.getTime() + markLifeMs[state]) },
    ...(name !== undefined && { assignee: name }),
  };
}
