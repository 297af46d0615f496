import { ALL_PERCENT, type CalledOffReason, type Switch } from "../../schemas/switch.ts";

/** By default, a switch is decided this long before its time. */
export const DECIDE_AHEAD_MS = 60_000;
/** A switch for a scheduled price is made at most this long before its time, because any change after that is sent again. */
export const MAKE_AHEAD_MS = 2 * 3_600_000;
/**
 * A switch is prepared at most this long before its time: a price list that arrives earlier costs no additional transmission.
 */
export const PREPARE_AHEAD_MS = 12 * 3_600_000;
/** An order must be sent at least this long before the switch's time, or it may arrive too late. */
const LATEST_ORDER_MS = 3_000;
/** A switch is over this long after its time: pictures that labels have not reported by then are sent to them. */
const OVER_AFTER_MS = 60_000;

/** The combined progress of a switch's labels. STALE: the label server has an outdated picture for at least one label. */
export type SwitchProgress = "READY" | "NOT_READY" | "STALE";

/**
 * Decides a switch that is being prepared; undefined while it is undecided. A switch is decided after its deadline, based on a
 * preparation that also began after the deadline, so that the pictures contain all changes before the deadline. While a label
 * server has a stale picture, nothing is ordered, since the order applies to all labels.
 */
export function decideSwitch(current: Switch, progress: SwitchProgress, now: Date): Switch | undefined {
  const { state, showAt, deadline, atDeadline, preparedAt } = current;
  if (state !== "PREPARING" || now < deadline) return undefined;
  if (current.commit === "AWAITED") return calledOff(current, "NOT_COMMITTED");
  if (now >= showAt) return calledOff(current, "TOO_LATE");
  if (preparedAt === undefined || preparedAt < deadline || progress === "STALE")
    return now.getTime() > showAt.getTime() - LATEST_ORDER_MS ? calledOff(current, "NOT_PREPARED") : undefined;
  if (progress === "NOT_READY" && atDeadline === "CALL_OFF") return calledOff(current, "NOT_READY");
  return { ...current, state: "ORDERED" };
}

/** Whether a switch needs no more pictures, since it was called off or is done. */
export const isSettled = ({ state }: Pick<Switch, "state">): boolean => state === "CALLED_OFF" || state === "DONE";

/** How many labels of a switch have a picture for it, and how many of these labels keep their picture. */
export interface SwitchReadiness {
  prepared: number;
  ready: number;
}

/** Whether enough labels of a switch are ready; never before all of its pictures have been prepared once. */
export const isReady = (
  { preparedAt, readyPercent = ALL_PERCENT }: Pick<Switch, "preparedAt" | "readyPercent">,
  { prepared, ready }: SwitchReadiness,
): boolean => preparedAt !== undefined && ready * ALL_PERCENT >= prepared * readyPercent;

/** Returns a switch as committed; undefined if no commit is awaited, or if the commit comes too late. */
export const committed = (current: Switch, now: Date): Switch | undefined =>
  current.state === "PREPARING" && current.commit === "AWAITED" && now < current.deadline
    ? { ...current, commit: "COMMITTED" }
    : undefined;

/**
 * Calls off a switch whose time has come without a commit; undefined for any other switch. Its changes are dropped, so it can
 * no longer be committed.
 */
export const givenUp = (current: Switch): Switch | undefined =>
  current.commit === "AWAITED" && current.state !== "CALLED_OFF" ? calledOff(current, "NOT_COMMITTED") : undefined;

/**
 * Returns the switch that is made automatically for scheduled changes: labels that are not ready at its deadline do not block
 * the others.
 */
export const automaticSwitch = (showAt: Date): Switch => ({
  showAt,
  deadline: new Date(showAt.getTime() - DECIDE_AHEAD_MS),
  atDeadline: "GO_AHEAD",
  state: "PREPARING",
  isAutomatic: true,
  open: true,
});

/** Calls off a switch; its label servers must discard the pictures that they keep for it. */
export const calledOff = (current: Switch, reason: CalledOffReason): Switch => ({
  ...current,
  state: "CALLED_OFF",
  reason,
  isTaken: undefined,
  isPartlyTaken: undefined,
  open: true,
});

/** The combined response of a switch's label servers to its order. */
export type SwitchOrdered = "taken" | "partly taken" | "refused" | "later";

/** Returns a switch after its order has been sent; undefined if nothing changes. */
export function afterOrder(current: Switch, answer: SwitchOrdered): Switch | undefined {
  if (current.state !== "ORDERED" || answer === "later") return undefined;
  if (answer === "refused") return calledOff(current, "REFUSED");
  if (answer === "taken") return { ...current, isTaken: true };
  return current.isPartlyTaken ? undefined : { ...current, isPartlyTaken: true };
}

/**
 * Handles an ordered switch whose time has come before every label server has accepted the order; undefined if all have. If only
 * some label servers have accepted it, their labels show the kept pictures, and the other labels are sent their pictures.
 */
export function unlessTaken(current: Switch): Switch | undefined {
  if (current.state !== "ORDERED" || current.isTaken) return undefined;
  return current.isPartlyTaken ? { ...current, isTaken: true } : calledOff(current, "TOO_LATE");
}

/** Whether a switch's time is so far in the past that no more reports are awaited. */
export const isOver = ({ showAt }: Pick<Switch, "showAt">, now: Date): boolean =>
  now.getTime() >= showAt.getTime() + OVER_AFTER_MS;
